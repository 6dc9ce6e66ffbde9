import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A page on which a person can approve only after a delay")
struct DeliberateApprovalTests {
    private func open(_ test: @Sendable (TestServer, TestBrowser) async throws -> Void) async throws {
        let minimum = [ScopeWord("play"): ScopeDemands([.deliberate])]
        try await TestServer.open(configuring: { $0.minimumEvidence = minimum }) { server in
            try await test(server, try await server.browser(of: .anna))
        }
    }

    private func page(_ codes: DeviceAuthorizationResponse, _ browser: TestBrowser) async throws -> TestResponse {
        try await browser.get("activate/confirm?user_code=\(codes.userCode)")
    }

    private func answer(
        _ decision: String,
        _ codes: DeviceAuthorizationResponse,
        shown: String?,
        _ browser: TestBrowser
    ) async throws -> String? {
        var form: Form = ["user_code": codes.userCode.rawValue, "decision": decision]
        form["shown"] = shown
        return try await browser.post("activate/decision", form).location
    }

    @Test func `refuses an approval that is sent at once, and takes it three seconds later`() async throws {
        try await open { server, anna in
            let codes = try await server.ask(scope: "openid play")
            try await anna.take(codes)
            let again = "/activate/confirm?user_code=\(codes.userCode)&early=1"
            let shown = try await page(codes, anna)
            let mark = try #require(shown.field("shown"))
            #expect(shown.text.contains("data-ready-in=\"3\"") && shown.text.contains("three seconds"))
            #expect(shown.headers[.contentSecurityPolicy]?.contains("script-src 'self'") == true)
            #expect(!shown.text.contains("role=\"alert\""))
            #expect(try await answer("approve", codes, shown: nil, anna) == again)
            let told = try await anna.get(String(again.dropFirst()))
            #expect(told.text.contains("That was too early") && told.text.contains("<title>Problem: "))
            #expect(try await answer("approve", codes, shown: mark, anna) == again)
            server.clock.advance(by: .milliseconds(2900))
            #expect(try await answer("approve", codes, shown: mark, anna) == again)
            #expect(try await server.poll(codes).error == .authorizationPending)
            server.clock.advance(by: .milliseconds(200))
            #expect(try await answer("approve", codes, shown: mark, anna)?.hasPrefix("/activate/result?") == true)
            server.clock.advance(by: .seconds(5))
            #expect(try await server.poll(codes).status == .ok)
        }
    }

    @Test func `counts for its own request and its own browser only, and its time cannot be set back`() async throws {
        try await open { server, anna in
            let codes = try await server.ask(scope: "openid play")
            let others = try await server.ask(scope: "openid play")
            try await anna.take(others)
            let foreign = try #require(try await page(others, anna).field("shown"))
            let elsewhere = try await server.browser(of: .anna)
            try await elsewhere.take(codes)
            let hers = try #require(try await page(codes, elsewhere).field("shown"))
            server.clock.advance(by: .seconds(10))
            try await anna.take(codes)
            let mark = try #require(try await page(codes, anna).field("shown"))
            let code = mark.split(separator: ".").last ?? ""
            for wrong in [foreign, hers, "0.\(code)", "0", ".", "", "-1.\(code)"] {
                let sent = try await answer("approve", codes, shown: wrong, anna)
                #expect(sent?.hasPrefix("/activate/confirm?") == true, "\(wrong)")
            }
            #expect(try await server.poll(codes).error == .authorizationPending)
        }
    }

    @Test func `takes a denial at once, and has no delay for other scopes`() async throws {
        try await open { server, anna in
            let codes = try await server.ask(scope: "openid play")
            try await anna.take(codes)
            #expect(try await answer("deny", codes, shown: nil, anna)?.hasPrefix("/activate/result?") == true)
            let plain = try await server.ask(scope: "openid")
            try await anna.take(plain)
            let shown = try await page(plain, anna)
            #expect(shown.field("shown") == nil && !shown.text.contains("delay.js"))
            #expect(try await anna.answer("approve", plain).location?.hasPrefix("/activate/result?") == true)
        }
    }

    @Test(.server) func `keeps the delay though the settings changed since the request was made`() async throws {
        let server = TestServer.current
        let anna = try await server.browser(of: .anna)
        let codes = try await server.ask()
        try await server.change { repositories in
            var stored = try #require(try repositories.exchanges.find(codes.deviceCode.digest))
            stored.terms = ApprovalTerms(demands: ScopeDemands([.deliberate]))
            try repositories.exchanges.update(stored)
        }
        try await anna.take(codes)
        #expect(try await page(codes, anna).field("shown") != nil)
        #expect(try await anna.answer("approve", codes).location?.hasPrefix("/activate/confirm?") == true)
    }

    @Test(.server(withApps: true) { $0.minimumEvidence = [.profile: ScopeDemands([.deliberate])] })
    func `may be that of an app that came by the browser`() async throws {
        let server = TestServer.current
        let anna = try await server.browser(of: .anna)
        let page = try await anna.authorize(TestApps.shop.request)
        var form: Form = [
            "authorization": page.unescapedField("authorization"), "decision": "approve",
            "shown": page.field("shown"),
        ]
        let early = try await anna.post("authorize/decision", form)
        #expect(early.status == .forbidden && early.field("shown") != nil)
        #expect(early.text.contains("That was too early") && early.text.contains("<title>Problem: "))
        server.clock.advance(by: .seconds(3))
        let code = try await anna.post("authorize/decision", form).authorization?.code
        #expect(code != nil)
        form["shown"] = nil
        #expect(try await anna.post("authorize/decision", form).status == .forbidden)
    }

    @Test(.server { $0.minimumEvidence = [.openid: ScopeDemands([.deliberate])] })
    func `may be that of a site, whose person came by the link in a text message`() async throws {
        let customer = try await TestCustomer.add(to: .current)
        let asked = try await LinkInText(to: customer)
        let shown = try await asked.page()
        let mark = try #require(shown.field("shown"))
        #expect(shown.text.contains("data-ready-in=\"3\"") && shown.text.contains("three seconds"))
        #expect(shown.headers[.contentSecurityPolicy]?.contains("script-src 'self'") == true)
        #expect(!shown.text.contains("role=\"alert\""))
        let again = "\(asked.link.path)&early=1"
        #expect(try await asked.answer("approve", shown: nil).location == again)
        #expect(try await asked.answer("approve", shown: mark).location == again)
        let told = try await asked.browser.get(String(again.dropFirst()))
        #expect(told.text.contains("That was too early") && told.text.contains("<title>Problem: "))
        let elsewhere = try await customer.server.newBrowser()
        let foreign = try #require(try await elsewhere.get(String(asked.link.path.dropFirst())).field("shown"))
        customer.server.clock.advance(by: .seconds(3))
        #expect(try await asked.answer("approve", shown: foreign).location == again)
        #expect(try await customer.read(asked.request).status == .open)
        #expect(try await asked.answer("approve", shown: mark).location == asked.link.path)
        #expect(try await customer.read(asked.request).status == .approved)
    }

    @Test(.server) func `holds for the link in a text message as it was fixed when the request was made`() async throws
    {
        let customer = try await TestCustomer.add(to: .current)
        let asked = try await LinkInText(to: customer)
        #expect(try await asked.page().field("shown") == nil)
        try await customer.server.change { repositories in
            var stored = try #require(try repositories.exchanges.find(asked.link.request))
            stored.terms = ApprovalTerms(demands: ScopeDemands([.deliberate]))
            try repositories.exchanges.update(stored)
        }
        #expect(try await asked.page().field("shown") != nil)
        #expect(try await asked.answer("approve", shown: nil).location == "\(asked.link.path)&early=1")
        #expect(try await customer.read(asked.request).status == .open)
        #expect(try await asked.answer("deny", shown: nil).location == asked.link.path)
        #expect(try await customer.read(asked.request).status == .denied)
    }

    @Test(.server(withApps: true) { $0.minimumEvidence = [.profile: ScopeDemands([], within: 300)] })
    func `asks an app's person to sign in again whose sign-in is too old for the scope`() async throws {
        let server = TestServer.current
        let anna = try await server.browser(of: .anna)
        server.clock.advance(by: .seconds(301))
        var request = TestApps.shop.request
        let sent = try #require(try await anna.authorize(request).location)
        #expect(sent.hasPrefix("/login?"))
        let login = try await server.get(sent, headers: [.cookie: anna.cookie])
        #expect(login.text.contains("only soon after you signed in"))
        request.prompts = [.none]
        #expect(try await anna.authorize(request).authorization?.error == .loginRequired)

        let fresh = try await server.browser(of: .anna)
        let page = try await fresh.authorize(TestApps.shop.request)
        let form: Form = [
            "authorization": page.unescapedField("authorization"), "decision": "approve",
        ]
        server.clock.advance(by: .seconds(301))
        #expect(try await fresh.post("authorize/decision", form).location?.hasPrefix("/login?") == true)
        let other = try await server.browser(of: .anna)
        #expect(try await other.post("authorize/decision", form).authorization?.code != nil)
    }
}

/// A request of a site by text, and the browser that its person opens the link with.
private struct LinkInText: Sendable {
    let request: AuthenticationRequest
    let link: AnswerLink
    let browser: TestBrowser

    init(to customer: TestCustomer) async throws {
        request = try await customer.open(.instant, ["message_type": "\"sms\""])
        let keys = try await customer.server.server.services.keys.current()
        link = keys.link(to: SignInRequest.ID(request.id.rawValue))
        browser = try await customer.server.newBrowser()
    }

    func page() async throws -> TestResponse { try await browser.get(String(link.path.dropFirst())) }

    func answer(_ decision: String, shown: String?) async throws -> TestResponse {
        var form: Form = ["link": link.text, "decision": decision]
        form["number"] = request.number
        form["shown"] = shown
        return try await browser.post("answer", form)
    }
}
