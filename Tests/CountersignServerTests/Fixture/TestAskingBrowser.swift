import Countersign
import CountersignSQLite
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// A browser at the sign-in page that asks to be signed in by a phone. It keeps its cookies.
final class TestAskingBrowser {
    static let home = TestScreenByLink.home
    static let elsewhere = TestScreenByLink.elsewhere
    static let software = "Mozilla/5.0 (Television)"

    let server: TestServer
    /// The network address, for a server behind the proxy of tests.
    let address: String
    private(set) var cookies: [String: String] = [:]
    /// The token of the last page with a form.
    private var formToken = ""
    /// The path after the sign-in.
    let target: String

    private init(_ server: TestServer, at address: String, target: String) {
        self.server = server
        self.address = address
        self.target = target
    }

    /// A browser that has opened the sign-in page.
    static func opening(
        _ server: TestServer, at address: String = home, target: String = "/account", cookies: [String: String] = [:]
    ) async throws -> TestAskingBrowser {
        let browser = TestAskingBrowser(server, at: address, target: target)
        browser.cookies = cookies
        _ = try await browser.get("login?\(browser.query)")
        return browser
    }

    /// A browser that has opened the sign-in page, and asks.
    static func asking(
        _ server: TestServer, at address: String = home, target: String = "/account"
    ) async throws -> TestAskingBrowser {
        let browser = try await opening(server, at: address, target: target)
        try await browser.start()
        return browser
    }

    private var query: String {
        let query: Form = ["return_to": target]
        return query.encoded
    }

    private var headers: HTTPFields {
        var headers: HTTPFields = [.userAgent: Self.software, .xForwardedFor: address]
        if !cookies.isEmpty { headers[.cookie] = cookies.map { "\($0)=\($1)" }.joined(separator: "; ") }
        return headers
    }

    private func adding(_ more: HTTPFields) -> HTTPFields {
        var headers = headers
        for field in more { headers[field.name] = field.value }
        return headers
    }

    private func keep(_ response: TestResponse) -> TestResponse {
        for header in response.headers[values: .setCookie] {
            let pair = header.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map { String($0) }
            if header.contains("Max-Age=0") { cookies[pair[0]] = nil } else { cookies[pair[0]] = pair.last }
        }
        if let token = response.field("form_token") { formToken = token }
        return response
    }

    @discardableResult
    func get(_ name: String, headers more: HTTPFields = [:]) async throws -> TestResponse {
        keep(try await server.get(server.path(name), headers: adding(more)))
    }

    @discardableResult
    func post(_ name: String, _ form: Form = [:], headers more: HTTPFields = [:]) async throws -> TestResponse {
        var form = form
        form["form_token"] = formToken
        form["return_to"] = target
        var headers = adding(more)
        if headers[.secFetchSite] == nil { headers[.secFetchSite] = "same-origin" }
        return keep(try await server.post(server.path(name), form, headers: headers))
    }

    /// Asks to be signed in by a phone.
    @discardableResult
    func start() async throws -> TestResponse { try await post("login/phone") }

    /// The page of the request.
    @discardableResult
    func page(headers more: HTTPFields = [:]) async throws -> TestResponse {
        try await get("login/phone?\(query)", headers: more)
    }

    /// Goes on after an approval.
    @discardableResult
    func proceed() async throws -> TestResponse { try await post("login/phone/continue") }

    /// The code that the page shows.
    func code() async throws -> String {
        let found = try await page().text.firstMatch(of: #/<strong class="code">([A-Z]{4}-[A-Z]{4})</strong>/#)
        return String(try #require(found).1)
    }

    /// The number that the page shows; `nil` for none.
    func number() async throws -> String? {
        try await page().text.firstMatch(of: #/<strong class="code">(\d\d)</strong>/#).map { String($0.1) }
    }

    /// The request as it is stored.
    func stored() async throws -> SignInExchangeRecord {
        let code = try #require(UserCode(parsing: try await code()))
        let digest = try await server.server.services.keys.current().digest(of: code)
        return try #require(try await server.store.read { try $0.exchanges.find(digest) })
    }

    /// The session of the person who is signed in; `nil` for none.
    func session() async throws -> BrowserSession? {
        guard let cookie = cookies["countersign-8080"] else { return nil }
        return try await server.store.read { try $0.browserSessions.find(BrowserCookie(revealing: cookie).digest) }
    }
}

extension TestBrowser {
    /// A person takes the request of another browser, by typing its code or by its link, from an address.
    @discardableResult
    func take(code: String, byLink isByLink: Bool = false, at address: String = TestScreenByLink.home) async throws
        -> TestResponse
    {
        var form: Form = ["user_code": code]
        if isByLink { form["by_link"] = "1" }
        return try await post("activate", form, headers: [.xForwardedFor: address])
    }

    private static let phone = "Mozilla/5.0 (iPhone) Safari/605.1"

    /// A person answers the request of another browser.
    @discardableResult
    func answer(
        _ decision: String, code: String, session: String? = nil, number: String? = nil,
        at address: String = TestScreenByLink.home
    ) async throws -> TestResponse {
        var form: Form = ["user_code": code, "decision": decision]
        form["session"] = session
        form["number"] = number
        return try await post(
            "activate/decision", form, headers: [.xForwardedFor: address, .userAgent: Self.phone])
    }

    /// A person types the code of another browser, and approves.
    @discardableResult
    func approve(_ browser: TestAskingBrowser, session: String? = nil) async throws -> TestResponse {
        let code = try await browser.code()
        try await take(code: code)
        return try await answer("approve", code: code, session: session)
    }
}
