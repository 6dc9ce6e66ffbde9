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
            "sites", "pins", "household", "import", "systems", "groups", "links", "limits", "credentials",
            "gate",
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

    @Test func `shows the settings of serve in the order of use`() async throws {
        let help = try await CommandUnderTest().run("countersign serve --help").output
        let headings = [
            "NAME AND DATABASE:", "ADDRESS, TLS AND PROXIES:", "PAGES:", "SIGN-IN AND REGISTRATION:", "OPERATION:",
            "TELEPHONES AND WEBHOOKS:", "APPS AND THEIR DEVICES:", "OPTIONS:",
        ]
        #expect(help.split(separator: "\n").filter { headings.contains(String($0)) }.map(String.init) == headings)
        let options = help.split(separator: "\n").compactMap { $0.firstMatch(of: /^  --([a-z-]+)/)?.1 }
        let declared = Setting.all.map { $0.form == .limits ? "limit" : $0.key }
        #expect(options.filter { $0 != "config" && $0 != "version" }.map(String.init) == declared)
    }

    @Test func `runs every example in the help of an approver's commands`() async throws {
        let command = try CommandUnderTest()
        let run = Set(try Transcript(named: "authenticator").steps.map(\.command))
        let help = try await command.run("countersign authenticator --help").output
        let names = help.split(separator: "\n").compactMap { line in
            line.wholeMatch(of: #/ {2}([a-z][a-z-]*) {2,}\S.*/#).map { "authenticator \($0.1)" }
        }
        #expect(names.count >= 15, "\(help)")
        for name in ["approve"] + names {
            let help = try await command.run("countersign \(name) --help").output
            let examples = help.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { $0.hasPrefix("countersign ") }
            #expect(examples.contains { $0.hasPrefix("countersign \(name)") }, "\(help)")
            for example in examples { #expect(run.contains(example), "\(name): \(example)") }
        }
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
