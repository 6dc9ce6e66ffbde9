import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Ways in are compared in ``WaysInTests``; these tests are about what their clients are told, and about later.
@Suite(
    "A scope that is only for a group",
    .server(configuring: { $0.requiredGroups = [ScopeWord("play"): TestGroups.band] }))
struct RequiredGroupTests {
    let server = TestServer.current
    private let band = TestGroups.band

    @Test func `is refused to others at a screen, which is told at once`() async throws {
        let codes = try await server.ask(scope: "openid play")
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        let page = try await anna.answer("approve", codes)
        #expect(page.status == .forbidden)
        #expect(page.text.contains("only for people of a group"))
        #expect(try await server.poll(codes).error == .accessDenied)
        #expect(try await server.audited(.denied).map(\.detail).first??.contains("not in the group") == true)
        #expect(try await server.rows(of: "access_tokens") == 0)
        // What the group is not needed for is not refused.
        #expect(try await server.signedIn(scope: "openid profile").scope == Scope([.openid, .profile]))
    }

    @Test func `is given to members, near and far`() async throws {
        try await server.put(.anna, into: TestGroups.staff)
        _ = try await server.groups.add(band, note: nil)
        try await server.groups.add([.group(TestGroups.staff)], to: band)
        let tokens = try await server.signedIn(scope: "openid play")
        #expect(tokens.scope?.contains(ScopeWord("play")) == true)
    }

    @Test func `is refused to others in a browser, and the app is told by the redirection`() async throws {
        let (app, created) = (TestApps.shop, server.clock.date)
        try await server.change { try $0.clients.insert(app.record(created: created)) }
        let anna = try await server.browser(of: .anna)
        var request = app.request
        request.scope = Scope([.openid, ScopeWord("play")])
        // Nobody is asked in vain.
        let answer = try await anna.authorize(request)
        #expect(answer.authorization?.error == .accessDenied)
        #expect(answer.location?.contains("only") == true)
        // The person left the group since the page was shown.
        try await server.put(.anna, into: band)
        let page = try await anna.authorize(request)
        let authorization = try #require(page.unescapedField("authorization"))
        try await server.take(.anna, outOf: band)
        let form: Form = ["authorization": authorization, "decision": "approve"]
        let later = try await anna.post("authorize/decision", form)
        #expect(later.authorization?.error == .accessDenied)
        #expect(later.location?.contains("only") == true)
    }

    @Test func `makes a token that is for nothing else useless when the membership ends`() async throws {
        try await server.put(.anna, into: band)
        let token = try await server.signedIn(.console, scope: "play").accessToken.revealed
        #expect(try await server.introspect(token, as: .api).active)
        try await server.take(.anna, outOf: band)
        #expect(try await !server.introspect(token, as: .api).active)
    }

    @Test(.server(configuring: { $0.requiredGroups = [.groups: TestGroups.band] }))
    func `is left out where only a claim asks for it, and out of the metadata`() async throws {
        let server = TestServer.current
        let metadata = try await server.get("/.well-known/openid-configuration").json(AuthorizationServerMetadata.self)
        #expect(metadata.scopesSupported == ["openid", "profile", "email", "offline_access"])
        let (app, created) = (TestApps.shop, server.clock.date)
        var record = app.record(created: created)
        record.scope = Scope([.openid, .groups])
        try await server.change { [record] in try $0.clients.insert(record) }
        var request = app.request
        request.scope = Scope([.openid])
        request.claims = try ClaimsRequest(parsing: #"{"userinfo":{"groups":null}}"#)
        let anna = try await server.browser(of: .anna)
        let page = try await anna.authorize(request)
        let authorization = try #require(page.unescapedField("authorization"))
        let answer = try await anna.post(
            "authorize/decision", ["authorization": authorization, "decision": "approve"])
        let code = try #require(answer.authorization?.code)
        let tokens = try await server.redeem(code, as: app).json(TokenResponse.self)
        #expect(tokens.scope == Scope([.openid]))
    }

    @Test func `is refused to others over the back channel`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let asked = try await client.asked(["scope": "openid play"])
        let anna = try await server.browser(of: .anna)
        let id = try #require(try await anna.question())
        _ = try await anna.post("activate", ["request": id])
        let page = try await anna.post("activate/decision", ["request": id, "decision": "approve"])
        #expect(page.status == .forbidden)
        server.clock.advance(by: .seconds(6))
        #expect(try await client.poll(asked).error == .accessDenied)
    }

    @Test func `is refused at a device, which is told why, and whose request is denied`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let device = try await server.authenticator()
        _ = try await client.asked(["scope": "openid play"])
        let shown = try await device.shown()
        let answer = try await device.send(device.claims(on: shown))
        #expect(answer.status == .forbidden && answer.error == .invalidScope)
        #expect(try await server.audited(.denied).map(\.detail).first??.contains("not in the group") == true)
        #expect(try await device.send(device.claims(on: shown)).error == .invalidGrant)
    }

    @Test func `is no longer given to who left the group between approval and redemption`() async throws {
        try await server.put(.anna, into: band)
        let codes = try await server.ask(scope: "openid play")
        try await server.browser(of: .anna).decide("approve", codes)
        let only = try await server.ask(as: .radio, scope: "play")
        try await server.browser(of: .anna).decide("approve", only)
        try await server.take(.anna, outOf: band)
        let tokens = try await server.poll(codes).json(TokenResponse.self)
        #expect(tokens.scope == Scope([.openid]))
        // Nothing is left of the other request.
        #expect(try await server.poll(only, as: .radio).error == .accessDenied)
    }

    @Test func `ends with the membership for tokens that were issued before`() async throws {
        try await server.put(.anna, into: band)
        let tokens = try await server.signedIn(.console, scope: "openid play offline_access")
        let token = tokens.accessToken.revealed
        #expect(try await server.introspect(token, as: .api).scope?.contains("play") == true)
        try await server.take(.anna, outOf: band)
        #expect(try await server.introspect(token, as: .api).scope == "openid offline_access")
        #expect(try await server.refresh(tokens.refreshToken, as: .console, scope: "play").error == .invalidScope)
        let next = try await server.refresh(tokens.refreshToken, as: .console).json(TokenResponse.self)
        #expect(next.scope == Scope([.openid, .offlineAccess]))
        // It comes back with the membership: the person approved it.
        try await server.put(.anna, into: band)
        let again = try await server.refresh(next.refreshToken, as: .console).json(TokenResponse.self)
        #expect(again.scope?.contains(ScopeWord("play")) == true)
    }

    @Test func `refreshes nothing when it was all that was granted`() async throws {
        try await server.put(.anna, into: band)
        let tokens = try await server.signedIn(scope: "play")
        try await server.take(.anna, outOf: band)
        #expect(try await server.refresh(tokens.refreshToken).error == .invalidGrant)
        try await server.put(.anna, into: band)
        #expect(try await server.refresh(tokens.refreshToken).status == .ok)
    }

    @Test func `needs no group for a client's own token`() async throws {
        let form = try TestClients.robot.form.with(["grant_type": "client_credentials", "scope": "play"])
        #expect(try await server.post("/token", form).json(TokenResponse.self).scope == Scope([ScopeWord("play")]))
    }
}
