import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: ETSI TS 103 407 §9.2, §9.3.
@Suite("A service that asks about a token", .server(withSigningKeys: false, withDomains: true))
struct TokenCheckEndpointTests {
    let server = TestServer.current

    @Test func `learns whose device and whose token it is`() async throws {
        let device = try await server.newDevice()
        let answer = try await server.check(device.signedIn(), for: .radio)
        #expect(answer.status == .ok)
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(answer.members == ["client_id", "user_id", "display_name", "countersign_evidence"])
        // A number here, a text when it was registered.
        #expect(answer.text.contains("\"client_id\":\(device.id),"))
        let response = try answer.json(TokenCheckResponse.self)
        #expect(response.user == TestPerson.anna.subject)
        #expect(response.displayName == "Anna Ek")
    }

    @Test func `learns nothing without its own credential`() async throws {
        let token = try await server.newDevice().renew().token.revealed
        let good = TestDomain.radio.credential.revealed
        for header in [nil, "", "Bearer", "Bearer ", "Bearer a b", "Basic \(good)", good, "Bearer wrong"] {
            var headers: HTTPFields = [:]
            headers[.authorization] = header
            // The caller is authenticated before its request is read.
            for body in [["access_token": token, "domain": "radio.example.com"], ["x": "y"]] {
                let answer = try await server.post("/cpa/authorized", object: body, headers: headers)
                #expect(answer.status == .unauthorized)
                #expect(answer.refusal == .unauthorized)
                #expect(answer.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
            }
        }
        var twice: HTTPFields = [.authorization: "Bearer \(good)"]
        twice.append(HTTPField(name: .authorization, value: "Bearer \(good)"))
        #expect(try await server.post("/cpa/authorized", object: ["x": "y"], headers: twice).status == .unauthorized)
    }

    @Test func `names the token and its domain, and nothing else`() async throws {
        let token = try await server.newDevice().renew().token.revealed
        let headers: HTTPFields = [.authorization: BearerHeader.value(for: TestDomain.radio.credential)]
        for body in [
            [:], ["access_token": token], ["domain": "radio.example.com"],
            ["access_token": token, "domain": "radio.example.com", "scope": ""],
            ["access_token": token, "domain": "nobody.example"],
        ] {
            let answer = try await server.post("/cpa/authorized", object: body, headers: headers)
            #expect(answer.status == .badRequest)
            #expect(answer.refusal == .invalidRequest)
        }
    }

    @Test func `is told of no token that is not good for its domain`() async throws {
        let device = try await server.newDevice()
        let elsewhere = try await device.renew(.bank).token
        let oauth = try await server.signedIn().accessToken
        for token in [elsewhere, oauth, AccessToken(revealing: "unknown"), AccessToken(revealing: "")] {
            let answer = try await server.check(token, for: .radio)
            #expect(answer.status == .notFound)
            #expect(answer.refusal == .notFound)
        }
        let own = try await device.renew().token
        #expect(try await server.check(own, for: .radio).status == .ok)
        server.clock.advance(by: .seconds(86_400))
        #expect(try await server.check(own, for: .radio).status == .notFound)
    }

    @Test func `is told of nothing any more once its credential was renewed`() async throws {
        let token = try await server.newDevice().renew().token
        #expect(try await server.check(token, for: .radio).status == .ok)
        try await server.change { repositories in
            var domain = try #require(try repositories.domains.find(TestDomain.radio.name))
            domain.credential = SecretDigest(of: "another")
            try repositories.domains.update(domain)
        }
        #expect(try await server.check(token, for: .radio).status == .unauthorized)
    }

    @Test func `is told that a token of a device that was removed is not good`() async throws {
        let device = try await server.newDevice()
        let token = try await device.signedIn()
        #expect(try await server.check(token, for: .radio).status == .ok)
        try await server.change { _ = try $0.clients.remove(device.id) }
        #expect(try await server.check(token, for: .radio).status == .notFound)
        #expect(try await device.renew().refusal == .invalidClient)
    }

    @Test func `may introspect as well, where an operator lets a resource server`() async throws {
        try await server.change { repositories in
            var api = TestClients.api.record(created: server.clock.date)
            api.serves = ["radio.example.com"]
            try repositories.clients.update(api)
        }
        let device = try await server.newDevice()
        let token = try await device.signedIn()
        let described = try await server.introspect(token.revealed, as: .api)
        #expect(described.active)
        #expect(described.subject == TestPerson.anna.subject.rawValue)
        try await server.change { _ = try $0.domains.remove(TestDomain.radio.name) }
        #expect(try await server.introspect(token.revealed, as: .api).active == false)
    }
}
