import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// A screen that also opens a browser on its own device, whose approval nobody but this screen can redeem.
@Suite("A browser on the screen's own device", .server)
struct BrowserOfScreenTests {
    let server = TestServer.current

    private static let callback = "http://127.0.0.1:49152/callback"

    /// Asks with a way back; with a nearby challenge, so that links to phones can be named, too.
    private func ask(
        returningTo address: String = callback,
        scope: String? = nil,
        remembering hint: UnverifiedIDToken? = nil
    ) async throws -> DeviceAuthorizationResponse {
        try await server.change(.tv) { $0.redirects.redirectURIs = ["http://127.0.0.1/callback"] }
        var form = TestClients.tv.form
        form["scope"] = scope
        form["redirect_uri"] = address
        form["state"] = "a state"
        form["nearby_challenge"] = NearbyVerifier(drawingFrom: .system).challenge.description
        form["id_token_hint"] = hint?.revealed
        let headers: HTTPFields = hint == nil ? [:] : [.prefer: NumberPreference().headerValue]
        return try await server.post(server.path("device_authorization"), form, headers: headers)
            .json(DeviceAuthorizationResponse.self)
    }

    /// Opens the address for the browser, and goes on to the page that asks.
    private func arrive(_ codes: DeviceAuthorizationResponse, _ browser: TestBrowser) async throws -> TestResponse {
        let address = try #require(codes.browserURI)
        let page = try await browser.get(String(address.dropFirst(server.issuer.text.count + 1)))
        #expect(page.field("redirect_uri") == Self.callback)
        return try await browser.post("activate", Self.named(codes).with(["by_link": "1"]))
    }

    private static func named(_ codes: DeviceAuthorizationResponse) -> Form {
        ["user_code": codes.userCode.rawValue, "redirect_uri": callback]
    }

    private func answer(
        _ decision: String,
        _ codes: DeviceAuthorizationResponse,
        _ browser: TestBrowser
    ) async throws -> BrowserReturnResponse {
        let response = try await browser.post("activate/decision", Self.named(codes).with(["decision": decision]))
        let location = try #require(response.headers[.location])
        #expect(location.hasPrefix(Self.callback + "?"))
        return try BrowserReturnResponse(form: Form(parsing: Array(location.dropFirst(Self.callback.count + 1).utf8)))
    }

    private func poll(_ codes: DeviceAuthorizationResponse, over links: NearbyLinkID...) async throws -> TestResponse {
        server.clock.advance(by: .seconds(6))
        let form = TokenRequest.deviceCode(codes.deviceCode, over: NearbyLinks(links)).form
        return try await server.post(server.path("token"), try form.with(TestClients.tv.form))
    }

    @Test func `brings back the link that alone redeems the approval`() async throws {
        let codes = try await ask()
        #expect(codes.ways == [.code, .browser, .nearby])
        let anna = try await server.browser(of: .anna)
        #expect(try await arrive(codes, anna).status == .seeOther)
        let back = try await answer("approve", codes, anna)
        #expect(back.state == "a state" && back.issuer == server.issuer.text)
        guard case .approved(over: let link) = back.outcome else { throw Unexpected() }
        // The attacker who asked, and sent the address to somebody, has no link.
        #expect(try await poll(codes).json(OAuthErrorResponse.self).error == .authorizationPending)
        // Links to phones that were asked before prove nothing, and spoil nothing while the browser is on its way.
        #expect(
            try await poll(codes, over: TestServer.link(1)).json(OAuthErrorResponse.self).error
                == .authorizationPending)
        let tokens = try await poll(codes, over: link).json(TokenResponse.self)
        #expect(try await server.honours(tokens.accessToken) == false || tokens.scope != nil || tokens.idToken == nil)
        let grant = try #require(
            try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest)?.exchange.grant })
        #expect(grant.evidence.proofs.contains(.redirected) && grant.evidence.isNearby)
    }

    @Test func `compares no number when its person is also asked in their inbox`() async throws {
        let hint = try #require(try await server.signedIn(scope: "openid", session: .remembered).idToken)
        let codes = try await ask(scope: "openid", remembering: hint)
        #expect(codes.ways == [.code, .browser, .nearby, .push])
        let anna = try await server.browser(of: .anna)
        _ = try await arrive(codes, anna)
        let back = try await answer("approve", codes, anna)
        guard case .approved(over: let link) = back.outcome else { throw Unexpected() }
        #expect(try await poll(codes, over: link).status == .ok)
    }

    @Test func `leaves the answer to a device that is asked, too, while it holds the request`() async throws {
        let device = try await server.authenticator()
        let hint = try #require(try await server.signedIn(scope: "openid", session: .remembered).idToken)
        let codes = try await ask(scope: "openid", remembering: hint)
        let anna = try await server.browser(of: .anna)
        _ = try await arrive(codes, anna)
        let waiting = try await poll(codes).json(OAuthErrorResponse.self)
        let number = try #require(waiting.verificationNumber).rawValue
        #expect(try await device.decide(.approve, number: number).status == .ok)
        // Over no link: no browser has to bring anything back.
        #expect(try await poll(codes).status == .ok)
        let late = try await anna.get("activate/confirm?\(Self.named(codes).encoded)")
        #expect(late.location?.hasPrefix("/activate/result?") == true)
    }

    @Test(.server { $0.minimumEvidence = [ScopeWord("play"): ScopeDemands([.secondFactor])] })
    func `brings nothing back from an approval that does not meet a demand, and the screen goes on waiting`()
        async throws
    {
        let codes = try await ask(scope: "openid play")
        let anna = try await server.browser(of: .anna)
        _ = try await arrive(codes, anna)
        let refused = try await anna.post(
            "activate/decision", Self.named(codes).with(["decision": "approve"]))
        #expect(refused.status == .forbidden && refused.headers[.location] == nil)
        #expect(try await poll(codes).json(OAuthErrorResponse.self).error == .authorizationPending)
    }

    @Test func `brings back a denial`() async throws {
        let codes = try await ask()
        let anna = try await server.browser(of: .anna)
        _ = try await arrive(codes, anna)
        #expect(try await answer("deny", codes, anna).outcome == .refused(.accessDenied))
        #expect(try await poll(codes).json(OAuthErrorResponse.self).error == .accessDenied)
    }

    @Test func `is bound to the link even when its form omits the way back`() async throws {
        let codes = try await ask()
        let anna = try await server.browser(of: .anna)
        _ = try await arrive(codes, anna)
        let form: Form = ["user_code": codes.userCode.rawValue, "decision": "approve"]
        let response = try await anna.post("activate/decision", form)
        #expect(response.headers[.location]?.hasPrefix(Self.callback) == true)
        #expect(try await poll(codes).json(OAuthErrorResponse.self).error == .authorizationPending)
    }

    @Test func `is not proved by a code that is typed in another browser`() async throws {
        let codes = try await ask()
        try await server.browser(of: .anna).decide("approve", codes)
        let grant = try #require(
            try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest)?.exchange.grant })
        #expect(!grant.evidence.proofs.contains(.redirected))
        #expect(try await poll(codes).status == .ok)
    }

    @Test(arguments: ["http://127.0.0.1:49152/other", "https://attacker.example/callback"])
    func `is left out for an address that the client has not registered`(address: String) async throws {
        let codes = try await ask(returningTo: address)
        #expect(codes.browserURI == nil && codes.ways == [.code, .nearby])
    }

    @Test func `is refused with an address that is none`() async throws {
        var form = TestClients.tv.form
        form["redirect_uri"] = "javascript:alert(1)"
        let answer = try await server.post(server.path("device_authorization"), form)
        #expect(try answer.json(OAuthErrorResponse.self).error == .invalidRequest)
    }

    private struct Unexpected: Error {}
}
