import CommandFixture
import Foundation
import Testing

@testable import CountersignCommand

@Suite("The command")
struct TranscriptTests {
    @Test(
        arguments: [
            "clients", "domains", "people", "keys", "settings", "exposure", "doctor", "backup", "usage", "migrate",
            "audit", "authenticator", "missing", "tokens", "dns-sd", "registration", "providers", "accounts",
            "sites", "pins",
        ]
    )
    func `says what its transcript says`(name: String) async throws {
        try await follow(name)
    }

    #if PostgreSQL
    @Test(
        .enabled(
            if: ProcessInfo.processInfo.environment["COUNTERSIGN_TEST_POSTGRES"] != nil, "needs a PostgreSQL server"))
    func `keeps everything in PostgreSQL when it is told to`() async throws {
        try await follow("postgres")
    }
    #else
    @Test func `says what it needs for PostgreSQL`() async throws {
        try await follow("without-postgres")
    }
    #endif

    @Test func `names every setting in the help of serve, as flag, key and environment variable`() async throws {
        let printed = try await CommandUnderTest().run("countersign serve --help").output
        let help = printed.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for setting in Setting.all where setting.form != .limits {
            let key = setting.key
            let variable = "COUNTERSIGN_" + key.uppercased().replacingOccurrences(of: "-", with: "_")
            #expect(help.contains("--\(key)"), "\(key)")
            #expect(help.contains("environment \(variable)"), "\(key)")
        }
        #expect(help.contains("--config") && help.contains("COUNTERSIGN_SMS_SECRET"))
    }

    private func follow(_ name: String) async throws {
        let command = try CommandUnderTest()
        for step in try Transcript(named: name).steps {
            let outcome = try await command.run(step.command)
            var lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            while lines.last?.isEmpty == true { lines.removeLast() }
            let agrees =
                lines.count == step.expected.count
                && zip(lines, step.expected).allSatisfy { Transcript.line($0, matches: $1) }
            #expect(agrees, "\(name).txt:\(step.line): \(step.command)\n\(outcome.output)")
            #expect(outcome.status == step.status, "\(name).txt:\(step.line): \(step.command)")
        }
    }
}
