import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@testable import CountersignServer

@Suite("The audit", .server)
struct AuditedStoryTests {
    let server = TestServer.current

    @Test func `tells a sign-in from its beginning to its end`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        let grant = try await anna.approve(codes)
        let tokens = try await server.poll(codes).json(TokenResponse.self)
        _ = try await anna.post("account/sign-out", ["grant": grant.rawValue])
        _ = try await anna.confirm("logout")

        let all = try await server.audit()
        // The server's first keys come first.
        let keys = all.prefix { $0.facts.act == .keyAdded && $0.facts.by == .server }
        #expect(keys.count == 4)
        let entries = Array(all.dropFirst(4))
        #expect(
            entries.map(\.facts.act) == [
                .loggedIn, .taken, .approved, .signedIn, .signedOut, .loggedOut,
            ]
        )
        #expect(Set(entries.compactMap(\.facts.request)).count == 1)
        #expect(entries[1].facts.detail == "asked 2027-01-15T08:00:00Z from 192.0.2.1, link: number, code_typed")
        #expect(entries[2].facts.detail == "code_typed account_password same_network")
        let place = try await server.store.read { try Audit($0).verify() }
        #expect(place.number == 10)

        let written = entries.map { "\($0)" }.joined()
        for secret in [codes.deviceCode.revealed, codes.userCode.rawValue, tokens.accessToken.revealed] {
            #expect(!written.contains(secret))
        }
    }

    @Test(.server { $0.limits[.startPerAddress] = Limit(1, in: 600) })
    func `tells of refusals, reuse and limits, and never what was typed as a name`() async throws {
        let browser = try await server.newBrowser()
        for name in ["anna", "my secret password"] {
            _ = try await browser.post("login", ["username": name, "password": "wrong"])
        }
        let signedIn = try await server.signedIn()
        _ = try await server.refresh(signedIn.refreshToken)
        server.clock.advance(by: .seconds(60))
        _ = try await server.refresh(signedIn.refreshToken, from: "198.51.100.9")
        _ = try await server.refresh(signedIn.refreshToken, from: "198.51.100.9")

        let entries = try await server.audit()
        let refused = entries.filter { $0.facts.act == .loginFailed }
        #expect(refused.map(\.facts.subject) == [TestPerson.anna.subject, nil])
        #expect(entries.filter { $0.facts.act == .refreshTokenReused }.count == 1)
        #expect(entries.filter { $0.facts.act == .limitReached }.map(\.facts.detail) == ["start-per-address 1/600"])
        #expect(!entries.map { "\($0)" }.joined().contains("my secret"))
    }

    @Test func `is verified in parts as well, each of which goes on at the end of the one before`() async throws {
        // Seven entries: the server's own keys, and these.
        for _ in 0..<3 { _ = try await server.browser(of: .anna) }
        let entries = try await server.audit()
        let head = try #require(entries.last).place
        var (place, parts): (AuditPosition?, [Audit.VerifiedPart]) = (nil, [])
        for _ in 0..<3 {
            let part = try await server.store.read { [place] in try Audit($0).verify(after: place, limit: 3) }
            if case .until(let reached, of: _) = part { place = reached }
            parts.append(part)
        }
        #expect(
            parts == [.until(entries[2].place, of: head), .until(entries[5].place, of: head), .complete(head)])
        try await server.tamper("UPDATE audit SET client = 'radio' WHERE number = 6")
        await #expect(throws: AuditError.changed(6)) {
            try await server.store.read { try Audit($0).verify(after: entries[4].place, limit: 3) }
        }
    }

    @Test func `shows what was done to it in the database`() async throws {
        let harm: [(String, AuditError)] = [
            ("UPDATE audit SET client = 'radio' WHERE number = 2", .changed(2)),
            ("DELETE FROM audit WHERE number = 2", .missing(2)),
            ("DELETE FROM audit WHERE number = 6", .missing(6)),
            ("UPDATE audit SET number = 9 WHERE number = 1", .missing(1)),
            ("UPDATE audit_ends SET number = 5 WHERE name = 'head'", .headMismatch(7)),
        ]
        for (sql, found) in harm {
            try await TestServer.open { server in
                // Seven entries: the server's own keys, and these.
                for _ in 0..<3 { _ = try await server.browser(of: .anna) }
                try await server.tamper(sql)
                await #expect(throws: found) { try await server.store.read { try Audit($0).verify() } }
            }
        }
    }

    @Test func `is swept after its time, and is sound all the same`() async throws {
        for _ in 0..<3 { _ = try await server.browser(of: .anna) }
        server.clock.advance(by: .seconds(100))
        _ = try await server.browser(of: .anna)
        try await server.maintenance(auditLifetime: 50).sweep()
        let entries = try await server.audit()
        #expect(entries.map(\.number) == [8])
        #expect(try await server.store.read { try Audit($0).verify() }.number == 8)
    }
}

extension TestServer {
    func audit() async throws -> [AuditEntry] {
        try await store.read { try $0.audit.entries(after: 0, limit: 1_000) }
    }

    fileprivate static func open(
        _ test: @Sendable (TestServer) async throws -> Void,
        configuring: (inout ServerSettings) -> Void
    ) async throws {
        try await open(configuring: configuring, test)
    }
}
