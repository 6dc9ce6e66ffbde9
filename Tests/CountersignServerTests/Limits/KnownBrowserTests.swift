import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: OWASP, device cookies.
@Suite("A browser in which a person signed in before")
struct KnownBrowserTests {
    /// Signs a person in; returns the cookie by which the browser is known from then on.
    private func known(_ person: TestPerson, at server: TestServer) async throws -> String {
        let browser = try await server.newBrowser()
        let answer = try await browser.post(
            "login", ["username": person.rawValue, "password": person.password.revealed])
        let cookies = answer.headers[values: .setCookie]
        #expect(cookies.count == 2)
        let cookie = try #require(cookies.first { $0.hasPrefix("countersign-known-8080=") })
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax") && cookie.contains("Max-Age=31536000"))
        #expect(!cookie.contains(person.subject.rawValue) && !cookie.contains(person.rawValue))
        return String(try #require(cookie.split(separator: ";").first))
    }

    /// What becomes of a password of Anna's at a browser with this cookie.
    private func attempt(
        _ password: String = TestPerson.anna.password.revealed,
        at server: TestServer,
        showing cookie: String?
    ) async throws -> HTTPResponse.Status {
        let fresh = try await server.newBrowser()
        let browser = TestBrowser(
            server: server,
            cookie: [fresh.cookie, cookie].compactMap(\.self).joined(separator: "; "),
            formToken: fresh.formToken
        )
        return try await browser.post("login", ["username": "anna", "password": password]).status
    }

    @Test func `lets the right password through whatever strangers guessed`() async throws {
        try await TestServer.open { server in
            let cookie = try await known(.anna, at: server)
            for _ in 0..<10 { #expect(try await attempt("wrong", at: server, showing: nil) == .forbidden) }
            #expect(try await attempt(at: server, showing: nil) == .tooManyRequests)
            #expect(try await attempt(at: server, showing: cookie) == .seeOther)
            // It goes on as long as they go on.
            server.clock.advance(by: .seconds(300))
            #expect(try await attempt(at: server, showing: nil) == .tooManyRequests)
            #expect(try await attempt(at: server, showing: cookie) == .seeOther)
        }
    }

    @Test func `has ten guesses of its own an hour, and counts like any other then`() async throws {
        try await TestServer.open { server in
            let cookie = try await known(.anna, at: server)
            for _ in 0..<10 { #expect(try await attempt("wrong", at: server, showing: cookie) == .forbidden) }
            for _ in 0..<10 { #expect(try await attempt("wrong", at: server, showing: cookie) == .forbidden) }
            #expect(try await attempt(at: server, showing: cookie) == .tooManyRequests)
        }
    }

    @Test func `is known for its own person only, and by no cookie that was altered or is too old`() async throws {
        try await TestServer.open { server in
            let (annas, berts) = (try await known(.anna, at: server), try await known(.bert, at: server))
            for _ in 0..<10 { _ = try await attempt("wrong", at: server, showing: nil) }
            var forged = [berts, annas + "x", String(annas.dropLast()), annas.replacing(".", with: ":")]
            forged += ["countersign-known-8080=", "countersign-known-8080=9999999999..x"]
            for cookie in forged { #expect(try await attempt(at: server, showing: cookie) == .tooManyRequests) }
            server.clock.advance(by: .seconds(365 * 86_400))
            for _ in 0..<10 { _ = try await attempt("wrong", at: server, showing: nil) }
            #expect(try await attempt(at: server, showing: annas) == .tooManyRequests)
        }
    }

    @Test func `enters codes though strangers behind the same address guessed, once it is known for an hour`()
        async throws
    {
        try await TestServer.open { server in
            let cookie = try await known(.anna, at: server)
            let (anna, bert) = (try await server.browser(of: .anna), try await server.browser(of: .bert))
            let knownAnna = TestBrowser(
                server: server, cookie: "\(anna.cookie); \(cookie)", formToken: anna.formToken)
            for isLater in [false, true] {
                if isLater { server.clock.advance(by: .seconds(3600)) }
                for number in 0..<10 {
                    _ = try await bert.post(
                        "activate", ["user_code": "BBBB-BBB\("BCDFGHJKLM".map(String.init)[number])"])
                }
                let codes = try await server.ask()
                let form: Form = ["user_code": codes.userCode.rawValue]
                #expect(try await anna.post("activate", form).status == .tooManyRequests)
                let expected: HTTPResponse.Status = isLater ? .seeOther : .tooManyRequests
                #expect(try await knownAnna.post("activate", form).status == expected)
            }
        }
    }

    @Test func `may guess as before at names that are nobody's`() async throws {
        try await TestServer.open { server in
            let cookie = try await known(.anna, at: server)
            let fresh = try await server.newBrowser()
            let browser = TestBrowser(
                server: server, cookie: "\(fresh.cookie); \(cookie)", formToken: fresh.formToken)
            for _ in 0..<10 {
                #expect(try await browser.post("login", ["username": "x", "password": "y"]).status == .forbidden)
            }
            #expect(try await browser.post("login", ["username": "x", "password": "y"]).status == .tooManyRequests)
        }
    }
}
