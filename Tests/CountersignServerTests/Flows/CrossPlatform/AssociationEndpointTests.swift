import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import GRDB
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: ETSI TS 103 407 §8.3.
@Suite("A device that asks for a person", .server(withSigningKeys: false, withDomains: true))
struct AssociationEndpointTests {
    let server = TestServer.current

    @Test func `shows a code when nobody has signed it in`() async throws {
        let answer = try await server.newDevice().associate()
        #expect(answer.status == .ok)
        #expect(answer.headers[.cacheControl] == "no-store" && answer.headers[.pragma] == "no-cache")
        #expect(
            answer.members == ["device_code", "user_code", "verification_uri", "interval", "expires_in"]
        )
        let association = try answer.json(AssociationResponse.self)
        #expect(association.expiresIn == 1800)
        guard case .code(let code, at: let address, interval: 5) = association.shape else {
            Issue.record("another shape: \(association.shape)")
            return
        }
        #expect(UserCode(parsing: code.rawValue) != nil)
        #expect(address == "http://localhost:8080/cpa/verify")
    }

    @Test func `lets its person confirm for another domain, without a code`() async throws {
        let device = try await server.newDevice()
        try await device.signedIn(.bank)
        let answer = try await device.associate(.radio)
        #expect(answer.members == ["device_code", "verification_uri", "interval", "expires_in"])
        let association = try answer.json(AssociationResponse.self)
        #expect(try await device.poll(association).status == .accepted)
        #expect(try await server.waiting(for: .anna) == 1)
        #expect(try await server.waiting(for: .bert) == 0)

        try await server.confirm("approve", as: .anna)
        let token = try await device.poll(association).token
        #expect(try await server.check(token, for: .radio).status == .ok)
    }

    @Test func `is let in at once to a domain of the group in which its person signed it in`() async throws {
        let device = try await server.newDevice()
        try await device.signedIn(.radio)
        let answer = try await device.associate(.news)
        #expect(answer.members == ["device_code", "expires_in"])
        let association = try answer.json(AssociationResponse.self)
        #expect(association.shape == .automatic)

        let granted = try await device.poll(association, .news)
        #expect(granted.userName == "Anna Ek")
        #expect(try await server.check(granted.token, for: .news).status == .ok)
        server.clock.advance(by: .seconds(10))
        let again = try await device.poll(association, .news)
        #expect(again.refusal == .invalidRequest)
        // The sign-in goes on from there to the next domain, and the time of the person's proof stays the same.
        let next = try await device.associated(.sport)
        #expect(next.shape == .automatic)
        _ = try await device.poll(next, .sport).token
        let records = try await server.store.read { try $0.signIns.all(of: device.id, limit: 9) }
        #expect(records.count == 3)
        #expect(Set(records.map(\.grant.evidence.authenticated)).count == 1)
        #expect(records[0].grant.evidence.proofs.contains(.signedInBefore))
        let approvals = try await server.audit().filter { $0.facts.act == .approved && $0.facts.by == .server }
        #expect(approvals.count == 2)
        #expect(approvals[0].facts.detail == "signed_in_before account_password, for news.example.com:8443")
    }

    @Test func `is let in at once only for the person who signed it in, and only within a group`() async throws {
        let device = try await server.newDevice()
        try await device.signedIn(.radio)
        #expect(try await device.associate(.alone).members.contains("verification_uri"))
        // Somebody else signs it in elsewhere: what the first one opened does not count for them.
        try await device.signedIn(.bank, as: .bert)
        #expect(try await device.associate(.news).members.contains("verification_uri"))
        #expect(try await server.waiting(for: .bert) == 1)
        let bank = try await server.store.read { try $0.signIns.find(device.id, TestDomain.bank.name) }
        try await server.change {
            try SignIns($0).end(try #require(bank), because: .asked(by: .operator), at: server.clock.date)
        }
        #expect(try await device.associated(.news).shape == .automatic)
    }

    @Test func `shows a code for a domain that knows no other way`() async throws {
        let device = try await server.newDevice()
        try await device.signedIn(.radio)
        #expect(try await device.associate(.bank).members.contains("user_code"))
    }

    @Test func `shows a code again once its person is signed out`() async throws {
        let device = try await server.newDevice()
        try await device.signedIn(.radio)
        try await server.change { try Revocation($0).endAll(of: TestPerson.anna.subject, at: server.clock.date) }
        #expect(try await device.associate(.news).members.contains("user_code"))
    }

    @Test func `is not let in at once for a person who is locked`() async throws {
        let device = try await server.newDevice()
        try await device.signedIn(.radio)
        try await server.lock(.anna)
        let answer = try await device.associate(.news)
        #expect(answer.members == ["device_code", "verification_uri", "interval", "expires_in"])
        #expect(try await device.poll(answer.json(AssociationResponse.self), .news).status == .accepted)
    }

    @Test func `may ask again, and the earlier codes stay good`() async throws {
        let device = try await server.newDevice()
        let first = try await device.associated()
        let second = try await device.associated()
        #expect(first.deviceCode != second.deviceCode)
        try await device.decide("approve", first)
        #expect(try await device.poll(second).status == .accepted)
        #expect(try await device.poll(first).status == .ok)
    }

    @Test func `must prove itself, and then name a domain that there is`() async throws {
        let device = try await server.newDevice()
        func ask(_ id: String, _ secret: String, _ domain: String) async throws -> TestResponse {
            let members = ["client_id": id, "client_secret": secret, "domain": domain]
            return try await server.post("/cpa/associate", object: members)
        }
        let (id, secret) = (device.id.rawValue, device.secret.revealed)
        let console = try #require(TestClients.console.secret).revealed
        for (id, secret) in [
            (id, "wrong"), (id, ""), ("", secret), ("no number", secret), ("\(Int.max)", secret), ("tv", "x"),
            ("console", console),
        ] {
            for domain in ["radio.example.com", "nobody.example"] {
                let answer = try await ask(id, secret, domain)
                #expect(answer.status == .badRequest)
                #expect(answer.refusal == .invalidClient)
                #expect(answer.headers[.wwwAuthenticate] == nil)
            }
        }
        for domain in [
            "nobody.example", "", "RADIO.example.com", "http://radio.example.com", "radio.example.com:80",
        ] {
            let answer = try await ask(id, secret, domain)
            #expect(answer.status == .badRequest)
            #expect(answer.refusal == .invalidRequest)
        }
        #expect(try await server.rows(of: "exchanges") == 0)
    }

    @Test func `is shown to its person as it describes itself, which nobody believes`() async throws {
        let device = try await server.newDevice(named: "The bank itself")
        _ = try await device.associated(.bank)
        let client = try #require(try await server.store.read { try $0.clients.find(device.id) })
        #expect(client.provenanceOfName(.verified) == .asserted)
        let found = try await server.store.pool.read { database -> [String]? in
            let sql = "SELECT software, software_provenance, domain FROM exchanges"
            return try Row.fetchOne(database, sql: sql).map { [$0[0], $0[1], $0[2]] }
        }
        #expect(found == ["com.example.radio 1.0.2", "asserted", "bank.example.com"])
    }
}
