import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// The requests as cpa-ios 1.0 sends them (its tests were recorded in 2015 against another provider), and what it takes
/// from the answers: it looks at the JSON alone, `error` or else `reason` before anything else.
@Suite("An app that was written for another provider, here", .server(withSigningKeys: false, withDomains: true))
struct RecordedExchangesTests {
    let server = TestServer.current
    private let headers: HTTPFields = [
        .contentType: "application/json", .accept: "application/json", .acceptLanguage: "en;q=1, fr;q=0.9",
    ]

    /// The members that the app reads of an answer.
    private struct Read: Decodable {
        var error: String?
        var reason: String?
        var client_id: String?
        var client_secret: String?
        var device_code: String?
        var user_code: String?
        var verification_uri: String?
        var interval: Int?
        var expires_in: Int?
        var access_token: String?
        var token_type: String?
        var domain: String?
        var domain_display_name: String?
        var user_name: String?
    }

    private func ask(_ server: TestServer, _ path: String, _ body: String) async throws -> Read {
        try await server.post("/cpa/\(path)", json: body, headers: headers).json(Read.self)
    }

    private func registered(_ server: TestServer) async throws -> (id: String, secret: String) {
        let body =
            #"{"client_name":"Demo","software_id":"ch.rts.CrossPlatformAuthentication-demo","software_version":"1.0"}"#
        let read = try await ask(server, "register", body)
        return (try #require(read.client_id), try #require(read.client_secret))
    }

    private func identity(_ who: (id: String, secret: String)) -> String {
        #""client_id":"\#(who.id)","client_secret":"\#(who.secret)","domain":"radio.example.com""#
    }

    private func clientToken(_ who: (id: String, secret: String)) -> String {
        #"{\#(identity(who)),"grant_type":"http:\/\/tech.ebu.ch\/cpa\/1.0\/client_credentials"}"#
    }

    private func userToken(_ who: (id: String, secret: String), _ code: String) -> String {
        #"{"device_code":"\#(code)",\#(identity(who)),"grant_type":"http:\/\/tech.ebu.ch\/cpa\/1.0\/device_code"}"#
    }

    private let bogus = (id: "bogus", secret: "bogus")

    @Test func `is registered, and shown where to send its person`() async throws {
        let who = try await registered(server)
        #expect(Int(who.id) != nil && !who.secret.isEmpty)
        let read = try await ask(server, "associate", "{\(identity(who))}")
        #expect(read.error == nil && read.reason == nil)
        #expect(read.device_code?.isEmpty == false && read.user_code?.isEmpty == false)
        #expect(URL(string: read.verification_uri ?? "")?.scheme == "http")
        #expect(read.interval == 5 && read.expires_in == 1800)
    }

    @Test func `is told by word that its identity is not known`() async throws {
        let reads = [
            try await ask(server, "associate", "{\(identity(bogus))}"),
            try await ask(server, "token", clientToken(bogus)),
            try await ask(server, "token", userToken(bogus, "x")),
        ]
        for read in reads { #expect(read.error == "invalid_client" && read.access_token == nil) }
    }

    @Test func `gets a token without a person, and renews it`() async throws {
        let who = try await registered(server)
        for _ in 0..<2 {
            let read = try await ask(server, "token", clientToken(who))
            #expect(read.error == nil && read.reason == nil && read.user_name == nil)
            #expect(read.access_token?.isEmpty == false && read.token_type == "bearer")
            #expect(read.domain == "radio.example.com" && read.domain_display_name == "The radio")
            #expect(read.expires_in == 86_400)
        }
    }

    @Test func `waits, is told of too many questions, and gets its person's token, which it renews`() async throws {
        let who = try await registered(server)
        let asked = try await ask(server, "associate", "{\(identity(who))}")
        let poll = userToken(who, try #require(asked.device_code))
        #expect(try await ask(server, "token", poll).reason == "authorization_pending")
        #expect(try await ask(server, "token", poll).error == "slow_down")
        try await decide("approve", asked.user_code, at: server)
        let read = try await ask(server, "token", poll)
        #expect(read.error == nil && read.reason == nil && read.user_name == "Anna Ek")
        #expect(read.domain_display_name == "The radio")
        #expect(try await ask(server, "token", clientToken(who)).user_name == "Anna Ek")
    }

    @Test func `is told of a refusal, and that it came too late`() async throws {
        let who = try await registered(server)
        let refused = try await ask(server, "associate", "{\(identity(who))}")
        let forgotten = try await ask(server, "associate", "{\(identity(who))}")
        try await decide("deny", refused.user_code, at: server)
        let poll = userToken(who, try #require(refused.device_code))
        #expect(try await ask(server, "token", poll).error == "cancelled")
        server.clock.advance(by: .seconds(1800))
        let late = userToken(who, try #require(forgotten.device_code))
        #expect(try await ask(server, "token", late).error == "expired")
    }

    private func decide(_ decision: String, _ code: String?, at server: TestServer) async throws {
        let browser = try await server.browser(of: .anna)
        _ = try await browser.post("activate", ["user_code": code ?? ""])
        _ = try await browser.post("activate/decision", ["user_code": code ?? "", "decision": decision])
    }
}
