import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// A screen that shows a code, and asks the person whom it remembers on their devices, too: one request, one decision.
@Suite("A person who is remembered on a screen", .server)
struct RememberedPersonTests {
    let server = TestServer.current

    /// The ID token of an earlier sign-in at the same screen.
    private func hint(of person: TestPerson = .anna, as client: TestClients = .tv) async throws -> String {
        try #require(try await server.signedIn(client, as: person, scope: "openid").idToken).revealed
    }

    private func ask(
        remembering hint: String?,
        showingNumbers: Bool = true
    ) async throws -> DeviceAuthorizationResponse {
        var form = TestClients.tv.form
        form["scope"] = "openid"
        form["id_token_hint"] = hint
        var headers: HTTPFields = [:]
        if showingNumbers { headers[.prefer] = NumberPreference().headerValue }
        let answer = try await server.post(server.path("device_authorization"), form, headers: headers)
        return try answer.json(DeviceAuthorizationResponse.self)
    }

    private func poll(_ codes: DeviceAuthorizationResponse) async throws -> TestResponse {
        server.clock.advance(by: .seconds(6))
        return try await server.poll(codes)
    }

    private func number(_ codes: DeviceAuthorizationResponse) async throws -> String {
        try #require(try await poll(codes).json(OAuthErrorResponse.self).verificationNumber).rawValue
    }

    @Test func `approves in the inbox with the number of the screen`() async throws {
        let device = try await server.authenticator()
        let codes = try await ask(remembering: try await hint())
        #expect(codes.ways == [.code, .push])
        let number = try await number(codes)
        #expect(try await device.entries().count == 1)
        let missed = try await device.decide(.approve, number: TestScreenByLink.another(than: number))
        #expect(try missed.json(OAuthErrorResponse.self).error == .invalidNumber)
        #expect(try await device.decide(.approve, number: number).status == .ok)
        let tokens = try await poll(codes).json(TokenResponse.self)
        #expect(tokens.idToken != nil)
        #expect(try await device.entries().isEmpty)
    }

    @Test func `does not approve without the number`() async throws {
        let device = try await server.authenticator()
        let codes = try await ask(remembering: try await hint())
        #expect(try await device.decide(.approve).json(OAuthErrorResponse.self).error == .invalidNumber)
        #expect(try await poll(codes).json(OAuthErrorResponse.self).error == .authorizationPending)
    }

    @Test func `leaves the code to everybody, and one decision counts`() async throws {
        let device = try await server.authenticator()
        let codes = try await ask(remembering: try await hint())
        let number = try await number(codes)
        let shown = try await device.shown()
        try await server.browser(of: .bert).decide("approve", codes)
        #expect(try await device.entries().isEmpty)
        let late = try await device.send(
            device.claims(.approve, by: .inbox(InboxFinding(number: number)), on: shown))
        #expect(late.status != .ok)
        #expect(try await poll(codes).status == .ok)
        let grant = try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest)?.exchange.grant }
        #expect(grant?.subject == TestPerson.bert.subject)
    }

    @Test func `is asked on their account page, where the number is typed, too`() async throws {
        let codes = try await ask(remembering: try await hint())
        let number = try await number(codes)
        let anna = try await server.browser(of: .anna)
        let id = try #require(try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest)?.id })
        #expect(try await anna.get("account").text.contains(id.rawValue))
        #expect(try await anna.post("activate", ["request": id.rawValue]).status == .seeOther)
        let form: Form = ["request": id.rawValue, "decision": "approve"]
        let without = try await anna.post("activate/decision", form)
        #expect(without.headers[.location]?.contains("number=wrong") == true)
        _ = try await anna.post("activate/decision", try form.with(["number": number]))
        #expect(try await poll(codes).status == .ok)
    }

    @Test func `is not asked by another person's request`() async throws {
        let codes = try await ask(remembering: try await hint())
        let id = try #require(try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest)?.id })
        let bert = try await server.browser(of: .bert)
        #expect(try await bert.get("account").text.contains(id.rawValue) == false)
        #expect(try await bert.post("activate", ["request": id.rawValue]).status != .seeOther)
    }

    @Test func `is not asked by a screen that shows no number`() async throws {
        let device = try await server.authenticator()
        let codes = try await ask(remembering: try await hint(), showingNumbers: false)
        #expect(codes.ways == [.code])
        #expect(try await device.entries().isEmpty)
    }

    @Test(arguments: ["another client's", "no token", "a forged one"])
    func `is not asked because of a token that is not good`(kind: String) async throws {
        let device = try await server.authenticator()
        let good = try await hint()
        let hint =
            switch kind {
            case "another client's": try await self.hint(as: .radio)
            case "no token": "x"
            default: String(good.dropLast(4)) + "AAAA"
            }
        let codes = try await ask(remembering: hint)
        #expect(codes.ways == [.code])
        #expect(try await device.entries().isEmpty)
    }

    @Test func `is not asked while they are locked`() async throws {
        let hint = try await hint()
        try await server.lock(.anna)
        #expect(try await ask(remembering: hint).ways == [.code])
    }
}
