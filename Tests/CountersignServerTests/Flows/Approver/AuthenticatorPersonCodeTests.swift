import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("An enrolled device that shows a code for a screen", .server)
struct AuthenticatorPersonCodeTests {
    let server = TestServer.current

    private func code(of device: TestApprover) async throws -> PersonCode {
        let answer = try await device.send(.post, "person-code")
        #expect(answer.headers[.cacheControl] == "no-store")
        let message = try answer.json(PersonCodeResponse.self)
        #expect(message.expiresIn == 120)
        return message.code
    }

    @Test func `finds the request in its inbox at once, and approves it`() async throws {
        let device = try await server.authenticator()
        let code = try await code(of: device)
        let tag = try #require(try await device.inbox().headers[.eTag])
        async let held = device.inbox(knowing: tag, prefer: "wait=60")
        await server.clock.sleepers(1)
        let asked = try await server.ask(typing: code, deviceName: "Kitchen TV", from: nil)
        let codes = try asked.json(DeviceAuthorizationResponse.self)
        #expect(try await held.json(AuthenticatorInbox.self).requests.count == 1)
        let shown = try await device.shown()
        #expect(shown.response.client.value == TestClients.tv.id)
        #expect(shown.response.details.deviceName == "Kitchen TV")
        #expect(try await device.send(device.claims(on: shown)).status == .ok)
        #expect(try await server.poll(codes).status == .ok)
        let stored = try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest) }
        let proofs = stored?.exchange.grant?.evidence.proofs ?? []
        #expect(proofs.contains(.personCodeTyped) && proofs.contains(.decisionSigned))
    }

    @Test func `shows it before what others ask, and although the client is muted`() async throws {
        let device = try await server.authenticator()
        let desk = try await TestBackchannelClient.add(to: server)
        _ = try await desk.asked()
        let now = server.clock.date
        try await server.change { repositories in
            try Mutes(repositories).add(
                Mute(subject: TestPerson.anna.subject, client: TestClients.tv.id, cause: .muted, since: now))
        }
        let codes = try await server.asked(typing: try await code(of: device))
        #expect(try await device.shown().response.client.value == TestClients.tv.id)
        #expect(try await device.decide(.deny).status == .ok)
        #expect(try await server.poll(codes).error == .accessDenied)
        #expect(try await device.shown().response.client.value == desk.id)
    }

    @Test(.server { $0.minimumEvidence = [ScopeWord("play"): ScopeDemands([.number])] })
    func `asks for the number of the screen where the scope demands it`() async throws {
        let device = try await server.authenticator()
        let asked = try await server.ask(typing: try await code(of: device), scope: "openid play", showingNumbers: true)
        let codes = try asked.json(DeviceAuthorizationResponse.self)
        #expect(try await device.shown().response.details.numberDigits == VerificationNumber.length)
        server.clock.advance(by: .seconds(6))
        let number = try #require(try await server.poll(codes).json(OAuthErrorResponse.self).verificationNumber)
        #expect(try await device.decide(.approve).error == .invalidNumber)
        #expect(try await device.decide(.approve, number: number.rawValue).status == .ok)
        server.clock.advance(by: .seconds(6))
        #expect(try await server.poll(codes).status == .ok)
    }

    @Test func `may leave the answer to a browser of the same person`() async throws {
        let device = try await server.authenticator()
        let codes = try await server.asked(typing: try await code(of: device))
        let id = try #require(try await device.entries().first).exchange
        let anna = try await server.browser(of: .anna)
        #expect(try await anna.post("activate", ["request": id.rawValue]).location?.contains("confirm") == true)
        try await anna.answer("approve", request: id)
        #expect(try await server.poll(codes).status == .ok)
    }

    @Test func `has to be registered, and signed in`() async throws {
        try await server.addAuthenticatorApp()
        let tokens = try await server.redeem(try await server.ticket())
        let app = TestApprover(server: server, token: try tokens.json(TokenResponse.self).accessToken)
        #expect(try await app.send(.post, "person-code").error == .invalidRequest)
        #expect(try await server.post("/authenticator/person-code", [:]).status == .unauthorized)
        #expect(try await app.register().status == .ok)
        let code = try await code(of: app)
        #expect(try await app.send(.delete, "device").status == .noContent)
        #expect(try await server.ask(typing: code).error == .invalidGrant)
    }
}
