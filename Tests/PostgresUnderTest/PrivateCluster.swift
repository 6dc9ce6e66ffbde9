#if PostgreSQL
import Foundation
import TestShell

/// A PostgreSQL server of its own, which a test may stop and start.
package struct PrivateCluster: Sendable {
    /// Its database.
    package let url: String
    private let directory: String

    private static let script = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Scripts/postgres-cluster.sh").path

    /// Runs `body` with a new server, and removes it afterwards.
    package static func run(_ body: (PrivateCluster) async throws -> Void) async throws {
        // Not where the environment says: the server may run as another user, who cannot go everywhere.
        let directory = "/tmp/countersign-cluster-\(UUID().uuidString)"
        do {
            try await body(PrivateCluster(url: try await perform("start", directory), directory: directory))
        } catch {
            _ = try? await perform("remove", directory)
            throw error
        }
        _ = try await perform("remove", directory)
    }

    /// Stops the server as a crash would.
    package func stop() async throws { _ = try await Self.perform("stop", directory) }

    /// Starts the server again, at the same address.
    package func resume() async throws { _ = try await Self.perform("resume", directory) }

    /// Starts the server again, from now on as a standby of one that is away.
    package func resumeAsStandby() async throws {
        _ = try await Self.perform("demote", directory)
        try await resume()
    }

    private static func perform(_ act: String, _ directory: String) async throws -> String {
        try await Shell.run(aside: "bash \(Shell.word(script)) \(act) \(Shell.word(directory)) < /dev/null")
    }
}
#endif
