package import Foundation
internal import GRDB
internal import PostgresUnderTest

/// The database that a release left, as text in SQL; `Scripts/keep-database.sh` made it.
package struct KeptDatabase: Sendable, Equatable, CustomStringConvertible {
    /// The engines that a database is kept for.
    package enum Engine: String, CaseIterable, Sendable {
        case sqlite
        case postgres

        /// PostgreSQL is one of them where the environment names a server, as `make test` does.
        package static var allCases: [Engine] { PostgresCases.areRun ? [.sqlite, .postgres] : [.sqlite] }
    }

    /// The parties in the database, with the secrets that it stores as digests.
    package struct Parties: Sendable, Decodable {
        /// The time of the last act, in seconds since 1970.
        package let kept: Double
        package let person: Person
        package let group: String
        /// The number of enrolled devices of the person; `nil` for a release whose database has none.
        package let devices: Int?
        /// A public client, where the person is signed in.
        package let screen: Screen
        /// A confidential client.
        package let backend: Backend

        package struct Person: Sendable, Decodable {
            package let username: String
            package let password: String
        }

        package struct Screen: Sendable, Decodable {
            package let client: String
            package let refreshToken: String
            package let accessToken: String
        }

        package struct Backend: Sendable, Decodable {
            package let client: String
            package let secret: String
        }
    }

    /// The version of the release.
    package let release: String

    /// Those of all releases, the oldest first.
    package static let all: [KeptDatabase] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: releases.path)) ?? []
        return names.sorted { $0.compare($1, options: .numeric) == .orderedAscending }.map(KeptDatabase.init(release:))
    }()

    private static let releases = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("Releases")

    package var description: String { release }

    /// Reads the parties in the database of an engine.
    package func parties(on engine: Engine) throws -> Parties {
        try JSONDecoder().decode(Parties.self, from: Data(contentsOf: file("\(engine.rawValue).json")))
    }

    /// Reads the statements that make the database.
    package func statements(for engine: Engine) throws -> String {
        try String(contentsOf: file("\(engine.rawValue).sql"), encoding: .utf8)
    }

    /// Makes the database of SQLite in a new directory.
    package func restore(in directory: URL, named name: String) throws {
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let queue = try DatabaseQueue(path: directory.appendingPathComponent(name).path)
        try queue.writeWithoutTransaction { [statements = try statements(for: .sqlite)] in
            try $0.execute(sql: statements)
        }
        try queue.close()
    }

    private func file(_ name: String) -> URL {
        Self.releases.appendingPathComponent(release).appendingPathComponent(name)
    }
}
