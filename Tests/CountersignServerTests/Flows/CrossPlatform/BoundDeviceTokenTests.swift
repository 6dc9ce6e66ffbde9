import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: RFC 9449 §5, §6.2, §8, as an addition of ours to ETSI TS 103 407 §8.4, §9.3.
@Suite(
    "A device's token request with a DPoP proof", .timeLimit(.minutes(10)),
    .server(withSigningKeys: false, withDomains: true))
struct BoundDeviceTokenTests {
    let server = TestServer.current
    let key = DPoPKey(drawingFrom: .system)
    let other = DPoPKey(drawingFrom: .system)

    /// The header fields of a token request that proves a key.
    private func proof(by key: DPoPKey, at server: TestServer, nonce: DPoPNonce? = nil) throws -> HTTPFields {
        try server.proof(by: key, at: "cpa/token", nonce: nonce)
    }

    @Test func `binds the token that the device gets by its own identity`() async throws {
        let device = try await server.newDevice()
        let answer = try await device.renew(headers: try proof(by: key, at: server))
        #expect(answer.nonce != nil)
        #expect(
            answer.members == ["access_token", "token_type", "expires_in", "domain", "domain_display_name"])
        let response = try answer.json(CrossPlatformTokenResponse.self)
        #expect(response.tokenType == "DPoP")
        let told = try await server.check(response.accessToken, for: .radio)
        #expect(told.text == #"{"client_id":\#(device.id),"cnf":{"jkt":"\#(key.thumbprint.rawValue)"}}"#)
    }

    @Test func `binds the token of a person, who is named as before`() async throws {
        let device = try await server.newDevice()
        let association = try await device.associated()
        let pending = try await device.poll(association, headers: try proof(by: key, at: server))
        #expect(pending.status == .accepted)
        #expect(pending.nonce != nil)
        try await device.decide("approve", association)
        server.clock.advance(by: .seconds(5))
        let answer = try await device.poll(association, headers: try proof(by: key, at: server))
        let response = try answer.json(CrossPlatformTokenResponse.self)
        #expect(response.tokenType == "DPoP")
        #expect(response.userName == "Anna Ek")
        let told = try await server.check(response.accessToken, for: .radio).json(TokenCheckResponse.self)
        #expect(told.user == TestPerson.anna.subject)
        #expect(told.confirmation == KeyConfirmation(.proof(key.thumbprint)))
    }

    @Test func `binds the token that was waited for`() async throws {
        let device = try await server.newDevice()
        let association = try await device.associated()
        var fields = try proof(by: key, at: server)
        fields[.prefer] = "wait=30"
        async let held = device.poll(association, headers: fields)
        await server.clock.sleepers(1)
        try await device.decide("approve", association)
        let answer = try await held
        #expect(answer.headers[.preferenceApplied] == "wait=30")
        #expect(answer.nonce != nil)
        let told = try await server.check(answer.token, for: .radio).json(TokenCheckResponse.self)
        #expect(told.confirmation == KeyConfirmation(.proof(key.thumbprint)))
    }

    @Test func `changes nothing for a later request without one`() async throws {
        let device = try await server.newDevice()
        _ = try await device.renew(headers: try proof(by: key, at: server)).token
        let answer = try await device.renew()
        #expect(answer.nonce == nil)
        let response = try answer.json(CrossPlatformTokenResponse.self)
        let token = response.accessToken.revealed
        #expect(
            answer.text
                == #"{"access_token":"\#(token)","domain":"radio.example.com","#
                + #""domain_display_name":"The radio","expires_in":86400,"token_type":"bearer"}"#)
        let told = try await server.check(response.accessToken, for: .radio)
        #expect(told.members == ["client_id"])
    }

    @Test func `gets a lost answer again with a new proof of the same key only`() async throws {
        let device = try await server.newDevice()
        let association = try await device.associated()
        try await device.decide("approve", association)
        let answer = try await device.poll(association, headers: try proof(by: key, at: server))
        let token = try answer.token
        let again = try await device.poll(association, headers: try proof(by: key, at: server))
        #expect(again.status == .ok)
        #expect(again.body == answer.body)
        let stranger = try await device.poll(association, headers: try proof(by: other, at: server))
        #expect(stranger.refusal == .invalidRequest)
        #expect(try await device.poll(association).refusal == .invalidRequest)
        #expect(try await server.check(token, for: .radio).status == .ok)
    }

    @Test func `replaces the token of another key, which stops working`() async throws {
        let device = try await server.newDevice()
        let first = try await device.signedIn()
        let second = try await device.renew(headers: try proof(by: key, at: server)).token
        let third = try await device.renew(headers: try proof(by: other, at: server)).token
        for old in [first, second] {
            #expect(try await server.check(old, for: .radio).status == .notFound)
        }
        let told = try await server.check(third, for: .radio).json(TokenCheckResponse.self)
        #expect(told.user == TestPerson.anna.subject)
        #expect(told.confirmation == KeyConfirmation(.proof(other.thumbprint)))
    }

    @Test func `is refused with a proof that is malformed, used, repeated, or for another address`() async throws {
        let device = try await server.newDevice()
        let used = try proof(by: key, at: server)
        let token = try await device.renew(headers: used).token
        var twice = try proof(by: key, at: server)
        twice.append(HTTPField(name: .dpop, value: try proof(by: key, at: server)[.dpop] ?? ""))
        for fields in [used, twice, [.dpop: "a.b.c"], try server.proof(by: key)] {
            let answer = try await device.renew(headers: fields)
            #expect(answer.status == .badRequest)
            #expect(answer.refusal == .invalidDPoPProof)
            #expect(answer.nonce != nil)
        }
        #expect(try await server.check(token, for: .radio).status == .ok)
    }

    @Test(.server(withSigningKeys: false, withDomains: true) { $0.requiresDPoPNonce = true })
    func `needs a nonce where the server asks for one`() async throws {
        let device = try await server.newDevice()
        let refused = try await device.renew(headers: try proof(by: key, at: server))
        #expect(refused.status == .badRequest)
        #expect(refused.refusal == .useDPoPNonce)
        let nonce = try #require(refused.nonce)
        #expect(try await device.renew(headers: try proof(by: key, at: server, nonce: nonce)).status == .ok)
        #expect(try await device.renew().status == .ok)
    }

    @Test func `is refused in the form of its own protocol, with a nonce, before a proof is looked at`() async throws {
        let device = try await server.newDevice()
        let stranger = TestDevice(server: server, id: device.id, secret: ClientSecret(revealing: "wrong"))
        let fields = try proof(by: key, at: server)
        let answer = try await stranger.renew(headers: fields)
        #expect(answer.refusal == .invalidClient)
        #expect(answer.nonce != nil)
        #expect(try await device.renew(headers: fields).status == .ok, "the proof was not used up")
        let malformed = try await server.post("/cpa/token", json: "{", headers: try proof(by: key, at: server))
        #expect(malformed.refusal == .invalidRequest)
        #expect(malformed.nonce != nil)
    }

    @Test func `binds the token, as introspection shows`() async throws {
        try await server.change(.api) { $0.serves = ["radio.example.com"] }
        let device = try await server.newDevice()
        let token = try await device.renew(headers: try proof(by: key, at: server)).token
        let told = try await server.introspect(token.revealed, as: .api)
        #expect(told.active)
        #expect(told.tokenType == "DPoP")
        #expect(told.confirmation == KeyConfirmation(.proof(key.thumbprint)))
    }

    /// Standard: WHATWG Fetch §3.2 (CORS protocol).
    @Test func `can come from a web page, which may read the nonce`() async throws {
        let page = WebOrigin("https://radio.example.com")
        try await TestServer.open(
            withSigningKeys: false, withDomains: true, configuring: { $0.crossPlatformOrigins = [page] }
        ) { server in
            let device = try await server.newDevice()
            var fields = try proof(by: key, at: server)
            fields[.origin] = page.rawValue
            let bound = try await device.renew(headers: fields)
            #expect(bound.headers[.accessControlExposeHeaders] == "Retry-After, DPoP-Nonce")
            let free = try await device.renew(headers: [.origin: page.rawValue])
            #expect(free.headers[.accessControlExposeHeaders] == "Retry-After")
        }
    }
}
