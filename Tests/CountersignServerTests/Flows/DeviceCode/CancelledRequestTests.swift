import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A request that its screen gives up", .server)
struct CancelledRequestTests {
    let server = TestServer.current

    private func giveUp(_ codes: DeviceAuthorizationResponse, as client: TestClients = .tv) async throws -> TestResponse
    {
        let form: Form = ["token": codes.deviceCode.revealed, "token_type_hint": "device_code"]
        return try await server.post(server.path("revoke"), form.with(client.form))
    }

    private func poll(_ codes: DeviceAuthorizationResponse) async throws -> TestResponse {
        server.clock.advance(by: .seconds(6))
        return try await server.poll(codes)
    }

    @Test func `can be neither found nor approved`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        #expect(try await giveUp(codes).status == .ok)
        #expect(try await anna.answer("approve", codes).status != .ok)
        #expect(try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest)?.exchange.grant } == nil)
        #expect(try await poll(codes).json(OAuthErrorResponse.self).error == .accessDenied)
        #expect(try await giveUp(codes).status == .ok)
    }

    @Test func `tells the person who held it, and nobody else, that the screen stopped asking`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        let bert = try await server.browser(of: .bert)
        try await bert.take(codes)
        try await anna.take(codes)
        #expect(try await giveUp(codes).status == .ok)
        for decision in ["approve", "deny"] {
            let answer = try await anna.answer(decision, codes)
            #expect(answer.status == .gone && answer.text.contains("<h1>The screen stopped asking</h1>"))
            #expect(try await bert.answer(decision, codes).location == "/activate?user_code=\(codes.userCode)")
        }
        let path = "activate/confirm?user_code=\(codes.userCode)"
        let moved = try #require(try await anna.get(path).location)
        let page = try await server.get(moved, headers: [.cookie: anna.cookie])
        #expect(page.text.contains("<h1>The screen stopped asking</h1>"))
        #expect(try await server.get(moved, headers: [.cookie: bert.cookie]).status == .notFound)
        #expect(try await bert.get(path).location == "/activate?user_code=\(codes.userCode)")
    }

    @Test func `loses an approval that was not fetched`() async throws {
        let codes = try await server.ask()
        try await server.browser(of: .anna).decide("approve", codes)
        #expect(try await giveUp(codes).status == .ok)
        #expect(try await poll(codes).json(OAuthErrorResponse.self).error == .accessDenied)
    }

    @Test func `ends a sign-in whose tokens were lost on the way`() async throws {
        let codes = try await server.ask(scope: "openid")
        try await server.browser(of: .anna).decide("approve", codes)
        let tokens = try await poll(codes).json(TokenResponse.self)
        #expect(try await server.honours(tokens.accessToken))
        #expect(try await giveUp(codes).status == .ok)
        #expect(try await !server.honours(tokens.accessToken))
    }

    @Test func `is not given up by another client`() async throws {
        let codes = try await server.ask()
        #expect(try await giveUp(codes, as: .radio).status != .ok)
        try await server.browser(of: .anna).decide("approve", codes)
        #expect(try await poll(codes).status == .ok)
    }

    @Test func `leaves the inbox of the person whom the screen remembers`() async throws {
        let device = try await server.authenticator()
        let hint = try #require(try await server.signedIn(scope: "openid", session: .remembered).idToken).revealed
        var form = TestClients.tv.form
        form["scope"] = "openid"
        form["id_token_hint"] = hint
        let asked = try await server.post(
            server.path("device_authorization"), form, headers: [.prefer: NumberPreference().headerValue])
        let codes = try asked.json(DeviceAuthorizationResponse.self)
        #expect(try await device.entries().count == 1)
        _ = try await giveUp(codes)
        #expect(try await device.entries().isEmpty)
    }

    @Test func `leaves no audit entry when nobody had seen it`() async throws {
        let codes = try await server.ask()
        let id = try #require(try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest)?.id })
        _ = try await giveUp(codes)
        #expect(try await server.store.read { try $0.exchanges.find(id)?.exchange.state } == .cancelled())
    }
}
