import Countersign
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

@Suite("Every page of a running server", .server)
struct PageAnswersTests {
    let server = TestServer.current
    static let pages = [
        "", "login", "activate", "activate?user_code=WDJB-MJHT", "activate?not_mine=1", "activate/confirm",
        "activate/result", "activate/result?request=x", "account", "account?done=undone", "assets/style.css",
        "activate/decision", "account/undo", "account/sign-out", "logout", "no/such/page",
        "cpa/verify", "cpa/verify?user_code=WDJB-MJHT&redirect_uri=cpacred://verification",
        "activate/confirm?request=x", "admin", "admin/domains", "admin/domains/add", "admin/domains/change?domain=x",
        "admin/domains/remove",
        "admin/domains/renew",
    ]

    @Test(arguments: ["http://localhost:8080", "https://id.example/a"])
    func `tells the browser how to guard it`(issuer: String) async throws {
        try await TestServer.open(issuer: issuer) { server in
            let anna = try await server.browser(of: .anna)
            for page in Self.pages {
                for answer in [try await anna.get(page), try await server.get(server.path(page))] {
                    let policy = try #require(answer.headers[.contentSecurityPolicy], "\(page)")
                    #expect(policy.contains("default-src 'none'"))
                    #expect(policy.contains("frame-ancestors 'none'"))
                    #expect(policy.contains("form-action 'self'") && policy.contains("base-uri 'none'"))
                    #expect(!policy.contains("unsafe"))
                    // The scripts of this server, where passkeys are asked for, or times are shown.
                    let hasScripts = ["login", "account", "activate", "cpa"].contains { page.hasPrefix($0) }
                    let scripts = hasScripts ? "; script-src 'self'" : ""
                    #expect(!policy.replacing(scripts, with: "").contains("script-src"))
                    #expect(answer.headers[.xFrameOptions] == "DENY")
                    #expect(answer.headers[.xContentTypeOptions] == "nosniff")
                    #expect(answer.headers[.referrerPolicy] == "same-origin")
                    #expect(answer.headers[.crossOriginOpenerPolicy] == "same-origin")
                    #expect(answer.headers[.crossOriginResourcePolicy] == "same-origin")
                    #expect(page.hasPrefix("assets") || answer.headers[.cacheControl] == "no-store")
                    #expect((answer.headers[.strictTransportSecurity] != nil) == issuer.hasPrefix("https"))
                }
            }
        }
    }

    @Test func `changes nothing when it is looked at`() async throws {
        let anna = try await server.browser(of: .anna)
        let (open, taken) = (try await server.ask(), try await server.ask())
        let (approved, redeemed) = (try await server.ask(), try await server.ask())
        try await anna.take(taken)
        try await anna.decide("approve", approved)
        let result = try #require(try await anna.decide("approve", redeemed).location)
        _ = try await server.poll(redeemed)
        let codes = [open, taken, approved, redeemed].map(\.userCode)
        let paths =
            Self.pages + [String(result.dropFirst())]
            + codes.flatMap { ["activate?user_code=\($0)", "activate/confirm?user_code=\($0)"] }
            + ["activate?user_code=\(open.userCode)&by_link=1&decision=approve", "login?username=anna&password=x"]
            + ["jwks", "userinfo", ".well-known/openid-configuration", "token", "revoke", "introspect"]

        let before = try await server.dump()
        for method in [HTTPRequest.Method.get, .head, .options] {
            for path in paths {
                let answer = try await server.send(method, "/\(path)", headers: [.cookie: anna.cookie])
                #expect(answer.status.code < 500, "\(method) \(path)")
                #expect(method != .head || answer.body.readableBytes == 0, "\(path)")
            }
        }
        #expect(try await server.dump() == before)
    }

    @Test(arguments: [HTTPRequest.Method.put, .delete, .patch, .options])
    func `names the allowed methods when it refuses another`(method: HTTPRequest.Method) async throws {
        let expected = ["login": "GET, HEAD, POST", "account": "GET, HEAD", "account/undo": "POST"]
        for (page, allowed) in expected {
            let answer = try await server.send(method, "/\(page)")
            #expect(answer.status == .methodNotAllowed)
            #expect(answer.headers[.allow] == allowed)
            #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
        }
    }

    @Test(arguments: [
        "/nothing", "/activate/nothing", "/%ff%fe", "/\u{E9}", "/..%2f..%2fetc", "/activate%00", "//", "//login",
    ])
    func `that does not exist says so`(path: String) async throws {
        let answer = try await server.get(path)
        #expect(answer.status == .notFound)
        #expect(answer.headers[.xFrameOptions] == "DENY")
        #expect(answer.text.contains("There is nothing at this address."))
    }

    @Test(arguments: [
        "activate?user_code=%ff%fe", "activate?user_code=%", "activate?user_code=%zz", "activate?%=%", "activate?",
        "activate?&&&===", "activate?user_code", "activate?user_code=a&user_code=b", "login?return_to=%ff",
        "activate/result?request=%00", "activate/result?request='", "account?done=%c0%af",
        "activate/confirm?user_code=%f0",
        "activate?user_code=\u{1F98A}", "assets/style.css?v=%ff",
    ])
    func `survives an odd address`(path: String) async throws {
        let anna = try await server.browser(of: .anna)
        #expect(try await anna.get(path).status.code < 500)
        #expect(try await server.get("/\(path)").status.code < 500)
    }

    @Test(arguments: [
        "countersign-8080=\u{E9}\u{E9}\u{E9}\u{E9}\u{E9}\u{E9}\u{E9}\u{E9}",
        "countersign-8080=\"quoted-quoted-quoted\"",
        "countersign-8080=aaaaaaaaaaaaaaaaaaaa; countersign-8080=bbbbbbbbbbbbbbbbbbbb", "; ; ;", "=",
        "countersign-8080",
        "countersign-8080=%ff%fe%fd%fc%fb%fa", "\u{0}",
    ])
    func `takes whoever brings an odd cookie for a stranger`(cookie: String) async throws {
        let headers: HTTPFields = [.cookie: cookie]
        let account = try await server.get("/account", headers: headers)
        #expect(account.location?.hasPrefix("/login") == true)
        #expect(try await server.get("/login", headers: headers).status == .ok)
        #expect(try await server.post("/logout", [:], headers: headers).status == .forbidden)
    }

    @Test(arguments: ["a=1&a=2", "%", "form_token=%ff", String(repeating: "a=b&", count: 100)])
    func `refuses a form that cannot be read`(body: String) async throws {
        let anna = try await server.browser(of: .anna)
        for page in FormOriginTests.forms {
            let answer = try await server.post("/\(page)", raw: body, headers: [.cookie: anna.cookie])
            #expect(answer.status == .badRequest || answer.status == .forbidden)
            #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
        }
    }

    @Test(.server(issuer: "https://id.example/a")) func `names its address below the issuer's path`() async throws {
        let anna = try await server.browser(of: .anna)
        let codes = try await server.ask()
        #expect(try await anna.take(codes).location == "/a/activate/confirm?user_code=\(codes.userCode)")
        #expect(try await anna.get("").location == "/a/account")
        let forms = Markup(try await anna.get("account").text).all("form")
        try #require(!forms.isEmpty)
        for form in forms {
            #expect(form.attributes["action"]?.hasPrefix("/a/") == true)
        }
        #expect(try await server.get("/account").status == .notFound)
    }
}
