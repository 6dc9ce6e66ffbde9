import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("An approval that is undone", .server)
struct UndoneApprovalTests {
    let server = TestServer.current

    // MARK: At an app that approves

    @Test(arguments: [true, false])
    func `at an authenticator, wherever it was given, says on which device`(isRedeemed: Bool) async throws {
        let device = try await server.authenticator()
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        let result = try #require(try await anna.decide("approve", codes).location)
        let id = try await request(of: codes)
        if isRedeemed { _ = try await server.poll(codes) }

        let open = try #require(try await decisions(device).first { $0.exchange == id })
        #expect(open.outcome == .approved && open.words == "Approved on a page of this server")
        #expect(open.undoUntil == server.clock.date.numericDate + 60)
        #expect(try await undo(id, at: device) == .undone)
        #expect(try await undo(id, at: device) == .nothing)
        #expect(try await server.rows(of: "access_tokens") == 1)

        let undone = try #require(try await decisions(device).first { $0.exchange == id })
        #expect(undone.outcome == .undone && undone.undoUntil == nil)
        #expect(undone.words == "Undone on Handy")
        let page = try await server.get(result, headers: [.cookie: anna.cookie]).text
        #expect(page.contains("<h1>Taken back</h1>"))
        #expect(page.contains("Undone on \u{2068}Handy\u{2069}, 08:00 UTC. Your approval no longer counts"))
    }

    @Test func `at an authenticator too late stays`() async throws {
        let device = try await server.authenticator()
        let codes = try await server.ask()
        try await server.browser(of: .anna).decide("approve", codes)
        server.clock.advance(by: .seconds(60))
        #expect(try await undo(try await request(of: codes), at: device) == .tooLate)
        #expect(try await decisions(device).first?.undoUntil == nil)
        #expect(try await server.poll(codes).status == .ok)
    }

    /// THREATS: a copy of an access token, and an app of another person.
    @Test func `at an app without a device is one that this app gave`() async throws {
        let phone = try await server.phone()
        let codes = try await server.ask()
        try await server.browser(of: .anna).decide("approve", codes)
        let elsewhere = try await request(of: codes)
        #expect(try await undo(elsewhere, at: phone) == .nothing)

        let screen = try await server.screenNearby()
        let own = try await phone.decide(.approve, screen).confirmation.exchange
        let bert = try await server.authenticator(of: .bert)
        for id in [own, elsewhere, SignInRequest.ID("unknown")] { #expect(try await undo(id, at: bert) == .nothing) }
        #expect(try await undo(own, at: phone) == .undone)
        #expect(try await screen.poll(over: screen.link).error == .accessDenied)
        #expect(try await server.poll(codes).status == .ok)
    }

    @Test func `needs a token with the right to approve, and the name of a request`() async throws {
        let tokens = try await server.signedIn()
        let screen = TestApprover(server: server, token: tokens.accessToken)
        #expect(try await server.get("/approver/undo").status == .methodNotAllowed)
        #expect(try await server.get("/approver/decisions").status == .unauthorized)
        #expect(try await server.post("/approver/undo", ["exchange": "x"]).status == .unauthorized)
        #expect(
            try await server.post("/approver/undo", ["exchange": "x"], headers: screen.headers).status == .forbidden)
        let phone = try await server.phone()
        #expect(try await server.post("/approver/undo", Form(), headers: phone.headers).error == .invalidRequest)
    }

    // MARK: At the screen

    @Test(arguments: PageLanguage.allCases)
    func `at the screen is told where it was approved`(language: PageLanguage) async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        let result = try #require(try await anna.decide("approve", codes).location)
        let tokens = try await server.poll(codes).json(TokenResponse.self)
        let device = try await server.authenticator()
        server.clock.advance(by: .seconds(5))
        try await giveBack(try #require(tokens.refreshToken).revealed)

        #expect(try await server.audited(.signedOut).last?.detail == "undone at the screen")
        let words: [PageLanguage: String] = [
            .english: "Signed out again at the screen", .german: "Gleich wieder abgemeldet am Gerät",
            .french: "Déconnecté aussitôt sur l’appareil", .spanish: "Sesión cerrada enseguida en el dispositivo",
        ]
        let headers: HTTPFields = [.cookie: anna.cookie, .acceptLanguage: language.tag]
        let expected = try #require(words[language])
        #expect(try await server.get(result, headers: headers).text.contains("\(expected), 08:00 UTC. "))
        #expect(try await server.get("/account", headers: headers).text.contains("<p class=\"claim\">\(expected), "))
        let told = try #require(try await decisions(device).first { $0.outcome == .undoneAtScreen })
        let id = try await request(of: codes)
        #expect(told.words == "Signed out again at the screen" && told.exchange == id)
    }

    @Test func `at the screen is announced on the account page for a day`() async throws {
        let tokens = try await server.signedIn()
        try await giveBack(try #require(tokens.refreshToken).revealed)
        let anna = try await server.browser(of: .anna)
        let words = "<li>Signed out again at the screen within a minute, <time"
        #expect(try await anna.get("account").text.contains(words))
        server.clock.advance(by: .seconds(86_400))
        #expect(try await !server.browser(of: .anna).get("account").text.contains(words))
    }

    @Test func `of another person is no news for one who opened the request`() async throws {
        let device = try await server.authenticator(of: .bert)
        let bert = try await server.browser(of: .bert)
        let codes = try await server.ask()
        try await bert.take(codes)
        try await server.browser(of: .anna).decide("approve", codes)
        let id = try await request(of: codes)
        let tokens = try await server.poll(codes).json(TokenResponse.self)
        #expect(try await !decisions(device).contains { $0.exchange == id })
        try await giveBack(try #require(tokens.refreshToken).revealed)
        #expect(try await !decisions(device).contains { $0.exchange == id })
        #expect(try await !bert.get("account").text.contains("Signed out again at the screen"))
    }

    @Test func `later than a minute is a sign-out of the app`() async throws {
        let tokens = try await server.signedIn()
        server.clock.advance(by: .seconds(60))
        try await giveBack(try #require(tokens.refreshToken).revealed)
        let entry = try #require(try await server.audited(.signedOut).last)
        #expect(entry.by == .client && entry.detail == nil)
    }

    @Test func `at a screen that got an access token alone leaves nothing of the sign-in`() async throws {
        try await server.change(.tv) { $0.grantTypes = [.deviceCode] }
        let tokens = try await server.signedIn()
        #expect(tokens.refreshToken == nil)
        try await giveBack(tokens.accessToken.revealed)
        #expect(try await server.audited(.signedOut).last?.detail == "undone at the screen")
        #expect(try await server.store.read { try $0.signIns.all(of: TestPerson.anna.subject) }.isEmpty)
    }

    // MARK: Steps

    private func giveBack(_ token: String) async throws {
        let form = try TestClients.tv.form.with(["token": token])
        #expect(try await server.post("/revoke", form).status == .ok)
    }

    private func undo(_ id: SignInRequest.ID, at app: TestApprover) async throws -> UndoOutcome {
        let answer = try await server.post(
            "/approver/undo", ApproverUndoRequest(exchange: id).form, headers: app.headers)
        #expect(answer.status == .ok, "\(answer.text)")
        let said = try answer.json(ApproverUndoResponse.self)
        #expect(said.exchange == id)
        return said.outcome
    }

    private func decisions(_ app: TestApprover) async throws -> [DecisionListing] {
        try await server.get("/approver/decisions", headers: app.headers).json([DecisionListing].self)
    }

    private func request(of codes: DeviceAuthorizationResponse) async throws -> SignInRequest.ID {
        try #require(try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest)?.id })
    }
}
