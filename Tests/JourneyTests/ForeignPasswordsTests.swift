import Countersign
import CountersignSQLite
import CountersignServer
import CountersignStorage
import CountersignTesting
import CountersignWire
import Foundation
import TestShell
import Testing

@Suite("People of another system, whose hashes others made", .timeLimit(.minutes(10)))
struct ForeignPasswordsTests {
    private struct ForeignPerson: Decodable, Sendable {
        let username, password: String
    }

    private struct Report: Decodable {
        struct Refusal: Decodable {
            let line: Int
            let reason: String
        }

        let added, unchanged: Int
        let refused: [Refusal]
    }

    @Test func `sign in with their passwords, which are hashed as the server's own from then on`() async throws {
        try await play { server, people, files in
            for (file, count) in [("people.csv", 27), ("people.jsonl", 27)] {
                let report = try Self.report(try admin("import", files.appending(component: file).path, at: server))
                #expect(report.added == count && report.refused.isEmpty, "\(report)")
            }
            // The server sees before its next change what another program changed.
            try await server.change { _ in }
            #expect(people.count == 54)
            for person in people {
                let imported = try await kind(of: person, at: server)
                #expect(!Self.isOwn(imported), "\(person.username)")
                try await signIn(person.username, "!" + person.password, at: server, isRight: false)
                #expect(try await kind(of: person, at: server) == imported, "\(person.username)")
                try await signIn(person.username, person.password, at: server, isRight: true)
                let replaced = try await kind(of: person, at: server)
                #expect(Self.isOwn(replaced), "\(person.username): \(imported)")
                try await signIn(person.username, "!" + person.password, at: server, isRight: false)
                try await signIn(person.username, person.password, at: server, isRight: true)
                #expect(try await kind(of: person, at: server) == replaced, "\(person.username)")
                // Wrong passwords of one network are slowed down.
                server.clock.advance(by: .seconds(120))
            }
            // The same import once more takes nobody's new hash away.
            let again = try Self.report(
                try admin("import", files.appending(component: "people.csv").path, "--update", at: server))
            #expect(again.unchanged == 27, "\(again)")
            try await server.change { _ in }
            for person in people { #expect(Self.isOwn(try await kind(of: person, at: server)), "\(person.username)") }
        }
    }

    @Test func `are refused line by line where a hash is of no known form`() async throws {
        try await play { server, _, files in
            let report = try Self.report(
                try admin("import", files.appending(component: "refused.csv").path, at: server))
            #expect(report.added == 0 && report.refused.map(\.line) == Array(2...9), "\(report)")
            let reasons = report.refused.map(\.reason)
            #expect(reasons.allSatisfy { $0.hasPrefix("password_hash ") }, "\(reasons)")
            #expect(reasons[5].contains("damaged") && reasons[6].contains("too much"), "\(reasons)")
            let store = try #require(await server.store)
            let there = try await store.read { try $0.people.find(Username(rawValue: "refused-cut")) }
            #expect(there == nil)
        }
    }

    // MARK: The story

    /// Has the hashes made, beside a server.
    private func play(_ body: (JourneyServer, [ForeignPerson], URL) async throws -> Void) async throws {
        let files = FileManager.default.temporaryDirectory.appending(component: "countersign-people-\(UUID())")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: files) }
        let made = try await PythonProgram(name: "hashes_with_passlib").run(
            with: ["JOURNEY_FOLDER": files.path], advancing: { _ in })
        #expect(made.status == 0, "\(made.output)")
        let people = try made.output.split(separator: "\n").filter { $0.hasPrefix("{") }
            .map { try JSONDecoder().decode(ForeignPerson.self, from: Data($0.utf8)) }
        try await JourneyServer.with { try await body($0, people, files) }
    }

    /// What `countersign admin user` prints beside the server, whether or not it refuses something.
    private func admin(_ words: String..., at server: JourneyServer) throws -> String {
        let line = [BuiltPrograms.command.path, "admin", "user"] + words + ["--json", "--data", server.place.path]
        return try Shell.run("\(line.map(Shell.word).joined(separator: " ")) || test $? -eq 1")
    }

    private static func report(_ printed: String) throws -> Report {
        try JSONDecoder().decode(Report.self, from: Data(printed.utf8))
    }

    private func kind(of person: ForeignPerson, at server: JourneyServer) async throws -> PasswordHashKind {
        let store = try #require(await server.store)
        let found = try await store.read { try $0.people.find(Username(rawValue: person.username)) }
        return try #require(found?.password?.kind, "\(person.username)")
    }

    private static func isOwn(_ kind: PasswordHashKind) -> Bool {
        if case .scrypt(let hash) = kind { hash.isOwn } else { false }
    }

    /// Types a name and a password in a browser that nobody knows.
    private func signIn(_ username: String, _ password: String, at server: JourneyServer, isRight: Bool) async throws {
        let visitor = JourneyVisitor(at: server.issuer)
        try await visitor.submit(
            try await visitor.open("/login"), to: "/login",
            ["username": username, "password": password, "return_to": "/account"],
            expecting: isRight ? "Where you are signed in" : "go together. Try again.")
    }
}
