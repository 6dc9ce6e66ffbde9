import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A request over the back channel that its client gives up", .server)
struct WithdrawnQuestionTests {
    let server = TestServer.current

    private func revoke(
        _ asked: BackchannelAuthenticationResponse,
        by client: TestBackchannelClient
    ) async throws -> TestResponse {
        let form: Form = ["token": asked.request.revealed]
        return try await client.server.post(client.server.path("revoke"), try form.with(client.credentials))
    }

    @Test func `is before the person no more, and cannot be answered`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let device = try await server.authenticator()
        let asked = try await client.asked()
        let shown = try await device.shown()
        #expect(try await revoke(asked, by: client).status == .ok)
        #expect(try await device.entries().isEmpty)
        #expect(try await device.send(device.claims(on: shown)).error == .invalidGrant)
        #expect(try await client.poll(asked).error == .accessDenied)
        let entry = try #require(try await server.audited(.withdrawn).last)
        #expect(entry.by == .client && entry.subject == TestPerson.anna.subject && entry.client == client.id)
        // Once more, and one that never was, change nothing.
        #expect(try await revoke(asked, by: client).status == .ok)
        #expect(try await server.audited(.withdrawn).count == 1)
    }

    @Test func `gives no tokens after its approval, and ends the sign-in whose tokens it got`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let anna = try await server.browser(of: .anna)
        let approved = try await client.asked()
        try await anna.answerQuestion("approve")
        #expect(try await revoke(approved, by: client).status == .ok)
        #expect(try await client.poll(approved).error == .accessDenied)
        server.clock.advance(by: .seconds(6))
        let redeemed = try await client.asked()
        try await anna.answerQuestion("approve")
        let tokens = try await client.poll(redeemed).json(TokenResponse.self)
        #expect(try await server.honours(tokens.accessToken))
        #expect(try await revoke(redeemed, by: client).status == .ok)
        #expect(try await !server.honours(tokens.accessToken))
    }

    @Test func `is not given up by another client, nor a device code of another`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let other = TestBackchannelClient(server: client.server, name: "shop")
        try await other.register()
        let device = try await client.server.authenticator()
        let asked = try await client.asked()
        #expect(try await revoke(asked, by: other).error == .invalidGrant)
        #expect(try await device.entries().count == 1)
        let codes = try await client.server.ask()
        let form: Form = ["token": codes.deviceCode.revealed]
        let answer = try await client.server.post(client.server.path("revoke"), try form.with(client.credentials))
        #expect(answer.error == .invalidGrant)
        #expect(try await client.server.poll(codes).error == .authorizationPending)
    }
}
