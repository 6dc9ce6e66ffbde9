import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOEmbedded
import Testing

@testable import CountersignServer

/// An addition of ours to RFC 8628 §3.4: an answer that was lost on the way can be asked for again.
@Suite("The answer to a device code that was redeemed", .server)
struct RepeatedAnswerTests {
    let server = TestServer.current

    /// A code that was approved, and the first answer to it.
    private func redeemed(
        as client: TestClients = .console,
        at server: TestServer
    ) async throws -> (codes: DeviceAuthorizationResponse, grant: Grant.ID, answer: TestResponse) {
        let codes = try await server.ask(as: client)
        let grant = try await server.browser(of: .anna).approve(codes)
        let answer = try await server.poll(codes, as: client)
        #expect(answer.status == .ok)
        return (codes, grant, answer)
    }

    @Test func `is repeated byte for byte for ten seconds, and until its tokens are used`() async throws {
        let (codes, _, answer) = try await redeemed(at: server)
        for _ in 0..<3 {
            server.clock.advance(by: .seconds(3))
            let again = try await server.poll(codes, as: .console)
            #expect(again.status == .ok)
            #expect(again.body == answer.body)
            #expect(again.headers == answer.headers)
        }
        // The window begins with the first answer.
        server.clock.advance(by: .seconds(1))
        let tokens = try answer.json(TokenResponse.self)
        let later = try await server.poll(codes, as: .console).json(TokenResponse.self)
        #expect(later.accessToken == tokens.accessToken)
        #expect(later.refreshToken == tokens.refreshToken)
        #expect(try await server.rows(of: "sign_ins") == 1)
        #expect(try await server.rows(of: "access_tokens") == 1)
        #expect(try await server.introspect(tokens.accessToken.revealed, as: .console).active)
        #expect(try await server.poll(codes, as: .console).error == .invalidGrant)
        #expect(try await server.refresh(tokens.refreshToken, as: .console).status == .ok)
    }

    @Test func `is repeated to a public client at the same address only`() async throws {
        let codes = try await server.ask()
        try await server.browser(of: .anna).decide("approve", codes)
        let answer = try await poll(codes, from: "192.0.2.7", at: server)
        #expect(answer.status == .ok)
        for address in ["192.0.2.8", "2001:db8::7", nil] {
            #expect(try await poll(codes, from: address, at: server).status == .badRequest)
        }
        let again = try await poll(codes, from: "192.0.2.7", at: server)
        #expect(again.status == .ok)
        #expect(try await again.bytes() == (try await answer.bytes()))
    }

    @Test func `is not repeated to a public client whose address was not seen`() async throws {
        let codes = try await server.ask()
        try await server.browser(of: .anna).decide("approve", codes)
        #expect(try await poll(codes, from: nil, at: server).status == .ok)
        #expect(try await poll(codes, from: nil, at: server).status == .badRequest)
        #expect(try await poll(codes, from: "192.0.2.7", at: server).status == .badRequest)
        #expect(try await server.rows(of: "repeatable_answers") == 0)
    }

    @Test func `is not repeated to a poll that names other links`() async throws {
        let (codes, _, _) = try await redeemed(at: server)
        let link = try #require(NearbyLinkID([UInt8](repeating: 7, count: 32)))
        var form = try TokenRequest.deviceCode(codes.deviceCode).form.with(TestClients.console.form)
        form["nearby_link"] = link.description
        #expect(try await server.post(server.path("token"), form).error == .invalidGrant)
        #expect(try await server.poll(codes, as: .console).status == .ok)
    }

    @Test func `is not repeated to another client`() async throws {
        let (codes, _, answer) = try await redeemed(at: server)
        #expect(try await server.poll(codes, as: .radio).error == .invalidGrant)
        #expect(try await server.poll(codes, as: .console).body == answer.body)
    }

    @Test(arguments: ["undone", "signed out", "locked", "refresh token revoked", "access token revoked", "refreshed"])
    func `is not repeated after it was`(event: String) async throws {
        let (codes, grant, answer) = try await redeemed(at: server)
        let tokens = try answer.json(TokenResponse.self)
        let anna = try await server.browser(of: .anna)
        switch event {
        case "undone": _ = try await anna.post("account/undo", ["grant": grant.rawValue])
        case "signed out": _ = try await anna.post("account/sign-out", ["grant": grant.rawValue])
        case "locked": try await server.lock(.anna)
        case "refreshed": #expect(try await server.refresh(tokens.refreshToken, as: .console).status == .ok)
        default:
            var form = TestClients.console.form
            let isRefresh = event.hasPrefix("refresh")
            form["token"] = isRefresh ? tokens.refreshToken?.revealed : tokens.accessToken.revealed
            #expect(try await server.post("/revoke", form).status == .ok)
        }
        #expect(try await server.poll(codes, as: .console).error == .invalidGrant)
    }

    @Test func `is kept in a form that only the device code opens, and swept`() async throws {
        let (codes, grant, answer) = try await redeemed(as: .console, at: server)
        let kept = try #require(try await server.store.read { try $0.repeatableAnswers.find(grant) })
        #expect(kept.credential == codes.deviceCode.digest)
        let tokens = try answer.json(TokenResponse.self)
        for secret in [tokens.accessToken.revealed, tokens.refreshToken?.revealed ?? ""] {
            #expect(try server.databaseBytes().range(of: Data(secret.utf8)) == nil)
        }
        server.clock.advance(by: .seconds(301))
        try await server.maintenance().sweep()
        #expect(try await server.rows(of: "repeatable_answers") == 0)
    }

    /// Standard: ETSI TS 103 407 §8.4.1.2.
    @Test(.server(withSigningKeys: false, withDomains: true)) func `is repeated in Cross-Platform Authentication too`()
        async throws
    {
        let device = try await server.newDevice()
        let association = try await device.associated()
        try await device.decide("approve", association)
        let answer = try await device.poll(association)
        #expect(answer.status == .ok)
        server.clock.advance(by: .seconds(9))
        let again = try await device.poll(association)
        #expect(again.status == .ok)
        #expect(again.body == answer.body)
        let stranger = try await server.newDevice()
        #expect(try await stranger.poll(association).refusal == .invalidRequest)
        #expect(try await server.check(try answer.token, for: .radio).status == .ok)
        #expect(try await device.poll(association).refusal == .invalidRequest)
    }

    @Test(.server(withSigningKeys: false, withDomains: true))
    func `is not repeated in Cross-Platform Authentication after a newer token was issued`() async throws {
        let device = try await server.newDevice()
        let association = try await device.associated()
        try await device.decide("approve", association)
        #expect(try await device.poll(association).status == .ok)
        #expect(try await device.renew().status == .ok)
        #expect(try await device.poll(association).refusal == .invalidRequest)
    }

    private func poll(
        _ codes: DeviceAuthorizationResponse,
        from address: String?,
        at server: TestServer
    ) async throws -> Response {
        let channel = NIOAsyncTestingChannel()
        if let address { channel.remoteAddress = try SocketAddress(ipAddress: address, port: 4711) }
        let form = try TokenRequest.deviceCode(codes.deviceCode).form.with(TestClients.tv.form)
        return try await server.post("/token", form, on: channel)
    }
}
