import Countersign
import CountersignSQLite
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// A browser at a test server: its cookie, and the token that its forms carry.
struct TestBrowser: Sendable {
    let server: TestServer
    /// `name=value`, as the `Cookie` header has it.
    let cookie: String
    let formToken: String

    func get(_ name: String) async throws -> TestResponse {
        try await server.get(server.path(name), headers: [.cookie: cookie])
    }

    /// Sends a form as a page of the server would.
    func post(_ name: String, _ form: Form, headers: HTTPFields = [:]) async throws -> TestResponse {
        var headers = headers
        headers[.cookie] = cookie
        if headers[.secFetchSite] == nil { headers[.secFetchSite] = "same-origin" }
        var form = form
        if form["form_token"] == nil { form["form_token"] = formToken }
        return try await server.post(server.path(name), form, headers: headers)
    }

    /// Sends a form that the person confirmed on the page that asks once.
    func confirm(_ name: String, _ form: Form = [:], headers: HTTPFields = [:]) async throws -> TestResponse {
        var form = form
        form["confirmed"] = "yes"
        return try await post(name, form, headers: headers)
    }

    /// Types a code.
    @discardableResult
    func take(_ codes: DeviceAuthorizationResponse) async throws -> TestResponse {
        try await post("activate", ["user_code": codes.userCode.rawValue])
    }

    /// Answers a request that it holds.
    @discardableResult
    func answer(
        _ decision: String,
        _ codes: DeviceAuthorizationResponse,
        session: SessionTerm? = nil
    ) async throws -> TestResponse {
        try await post(
            "activate/decision",
            ["user_code": codes.userCode.rawValue, "decision": decision, "session": session?.rawValue])
    }

    /// Types a code and answers.
    @discardableResult
    func decide(
        _ decision: String,
        _ codes: DeviceAuthorizationResponse,
        session: SessionTerm? = nil
    ) async throws -> TestResponse {
        try await take(codes)
        let response = try await answer(decision, codes, session: session)
        #expect(response.status == .seeOther)
        return response
    }

    /// Approves, and says which grant came of it.
    func approve(_ codes: DeviceAuthorizationResponse) async throws -> Grant.ID {
        let result = try await decide("approve", codes)
        let page = try await server.get(result.headers[.location] ?? "", headers: [.cookie: cookie])
        return Grant.ID(try #require(page.field("grant")))
    }
}

extension TestServer {
    /// A browser that has just opened the sign-in page.
    func newBrowser() async throws -> TestBrowser {
        let page = try await get(path("login"))
        return TestBrowser(
            server: self,
            cookie: try #require(page.givenCookie),
            formToken: try #require(page.field("form_token"))
        )
    }

    /// A browser where `person` has signed in.
    func browser(of person: TestPerson) async throws -> TestBrowser {
        let stranger = try await newBrowser()
        let form: Form = ["username": person.rawValue, "password": person.password.revealed]
        let response = try await stranger.post("login", form)
        let cookie = try #require(response.givenCookie)
        let account = try await get(path("account"), headers: [.cookie: cookie])
        return TestBrowser(server: self, cookie: cookie, formToken: try #require(account.field("form_token")))
    }
}

extension TestServer {
    /// The session of a browser where a person has just signed in.
    func session(of person: TestPerson) async throws -> BrowserSession {
        let text = try #require(try await browser(of: person).cookie.split(separator: "=").last)
        let digest = BrowserCookie(revealing: String(text)).digest
        return try #require(try await store.read { try $0.browserSessions.find(digest) })
    }
}

extension TestResponse {
    /// The cookie that the answer gives, without its attributes.
    var givenCookie: String? {
        headers[.setCookie]?.split(separator: ";").first.map(String.init)
    }

    /// The value of the first field of this name on a page.
    func field(_ name: String) -> String? {
        Markup(text).all("input").first { $0.attributes["name"] == name }?.attributes["value"]
    }

    /// The address that the answer sends the browser to.
    var location: String? { status == .seeOther ? headers[.location] : nil }
}
