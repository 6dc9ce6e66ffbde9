import Countersign
import CountersignWire
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

/// Requests that a page of another site can make a browser send, apart from those in `FormOriginTests`.
@Suite("A request that another site makes", .server(withSigningKeys: false))
struct ForgeryAttackTests {
    let server = TestServer.current
    static let forms = FormOriginTests.forms

    /// Everything a form needs to be good, and the browser it is good for.
    private struct StolenForm {
        let anna: TestBrowser
        let fields: Form
    }

    private func loot(at server: TestServer) async throws -> StolenForm {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        let grant = try await anna.approve(try await server.ask())
        try await server.mute(.tv)
        let fields: Form = [
            "form_token": anna.formToken, "username": "bert", "password": TestPerson.bert.password.revealed,
            "decision": "approve", "user_code": codes.userCode.rawValue, "grant": grant.rawValue,
            "client": TestClients.tv.rawValue,
        ]
        return StolenForm(anna: anna, fields: fields)
    }

    @Test(arguments: forms, [HTTPRequest.Method.get, .head, .put, .patch, .delete, .options])
    func `by another method than POST changes nothing`(form: String, method: HTTPRequest.Method) async throws {
        let loot = try await loot(at: server)
        let before = try await server.dump()
        let headers: HTTPFields = [
            .cookie: loot.anna.cookie, .secFetchSite: "same-origin",
            .contentType: "application/x-www-form-urlencoded",
        ]
        let body = ByteBuffer(string: loot.fields.encoded)
        let path = "/\(form)?\(loot.fields.encoded)"
        let answer = try await server.send(method, path, headers: headers, body: body)
        let isPage = method == .get || method == .head
        #expect(answer.status == .methodNotAllowed || (isPage && [.ok, .seeOther].contains(answer.status)))
        #expect(answer.headers[.setCookie] == nil)
        #expect(try await server.dump() == before)
    }

    /// The types that a form of another site can have without the browser's asking first, and others.
    @Test(arguments: ["text/plain", "multipart/form-data; boundary=x", "application/json", ""])
    func `of another content type changes nothing`(type: String) async throws {
        let loot = try await loot(at: server)
        let before = try await server.dump()
        for form in Self.forms {
            let headers: HTTPFields = [.cookie: loot.anna.cookie, .contentType: type]
            let answer = try await server.post("/\(form)", loot.fields, headers: headers)
            #expect(answer.status == .badRequest)
        }
        #expect(try await server.dump() == before)
    }

    @Test func `with the method, the token or the form in the address changes nothing`() async throws {
        let loot = try await loot(at: server)
        let before = try await server.dump()
        for form in Self.forms {
            let headers: HTTPFields = [
                .cookie: loot.anna.cookie, .secFetchSite: "same-origin",
                HTTPField.Name("X-HTTP-Method-Override")!: "POST",
            ]
            let query = loot.fields.encoded
            let overridden = try await server.get("/\(form)?\(query)&_method=POST", headers: headers)
            #expect(overridden.headers[.setCookie] == nil)
            let inAddress = try await server.post("/\(form)?\(query)", raw: "", headers: headers)
            // A form for signing in leads somebody who is signed in back to their page.
            #expect(inAddress.status == (form.hasPrefix("login") ? .seeOther : .forbidden))
        }
        #expect(try await server.dump() == before)
    }

    @Test func `is not helped by a forged host`() async throws {
        let loot = try await loot(at: server)
        let before = try await server.dump()
        for form in Self.forms {
            for (name, value) in [
                ("X-Forwarded-Host", "evil.test"), ("Forwarded", "host=evil.test"), ("X-Forwarded-Proto", "https"),
                ("X-Original-URL", "/account"), ("X-Rewrite-URL", "/account"),
            ] {
                let headers: HTTPFields = [
                    .cookie: loot.anna.cookie, .origin: "https://evil.test", HTTPField.Name(name)!: value,
                ]
                #expect(try await server.post("/\(form)", loot.fields, headers: headers).status == .forbidden)
            }
        }
        #expect(try await server.dump() == before)
    }

    /// No answer lets a page of another origin read it.
    ///
    /// Standard: Fetch §3.3 (CORS).
    @Test(.server) func `learns nothing, because no answer is shared with other origins`() async throws {
        let anna = try await server.browser(of: .anna)
        let routes = server.server.router().routes.map { ($0.method, $0.path.description) }
        let preflights = Set(routes.map(\.1)).map { (HTTPRequest.Method.options, $0) }
        for (method, path) in routes + preflights {
            let headers: HTTPFields = [
                .cookie: anna.cookie, .origin: "https://evil.test",
                HTTPField.Name("Access-Control-Request-Method")!: "POST",
            ]
            let answer = try await server.send(method, path, headers: headers)
            // Metadata and keys are for every page, and say nothing about a person.
            if answer.headers[.accessControlAllowOrigin] == "*" {
                #expect(answer.headers[.cacheControl]?.hasPrefix("public") == true, "\(method) \(path)")
                #expect(answer.headers[.accessControlAllowCredentials] == nil, "\(method) \(path)")
                continue
            }
            let names = answer.headers.map(\.name.canonicalName)
            #expect(!names.contains { $0.hasPrefix("access-control-") }, "\(method) \(path)")
        }
    }
}

@Suite("A cookie that somebody else made or stole", .server)
struct CookieAttackTests {
    let server = TestServer.current

    /// Cookie tossing: another site of the same domain, or plain HTTP, plants a cookie of its own session.
    @Test(.server(issuer: "https://id.example"))
    func `under a name without the prefix is not looked at over TLS`() async throws {
        let anna = try await server.browser(of: .anna)
        let value = try #require(anna.cookie.split(separator: "=").last)
        for name in [
            "countersign", "countersign-443", "__Secure-countersign", "__host-countersign", "__Host-Countersign",
        ] {
            let answer = try await server.get("/account", headers: [.cookie: "\(name)=\(value)"])
            #expect(answer.location?.hasPrefix("/login") == true, "\(name)")
        }
    }

    @Test func `before signing in is replaced, and never becomes a session`() async throws {
        let planted = "countersign-8080=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        let page = try await server.get("/login", headers: [.cookie: planted])
        let victim = TestBrowser(server: server, cookie: planted, formToken: try #require(page.field("form_token")))
        let form: Form = ["username": "anna", "password": TestPerson.anna.password.revealed]
        let answer = try await victim.post("login", form)
        #expect(answer.location == "/account")
        #expect(answer.givenCookie != planted)
        #expect(try await victim.get("account").location?.hasPrefix("/login") == true)
    }

    @Test func `is worth nothing once its owner has signed out or was locked`() async throws {
        let anna = try await server.browser(of: .anna)
        let bert = try await server.browser(of: .bert)
        _ = try await anna.confirm("logout")
        try await server.lock(.bert)
        for stolen in [anna, bert] {
            #expect(try await stolen.get("account").location?.hasPrefix("/login") == true)
            #expect(try await stolen.post("activate", ["user_code": "WDJB-MJHT"]).status == .forbidden)
        }
    }

    @Test func `decides nothing that another session of the same person has taken`() async throws {
        let codes = try await server.ask()
        try await server.browser(of: .anna).take(codes)
        let other = try await server.browser(of: .anna)
        try await other.answer("approve", codes)
        #expect(try await server.poll(codes).error == .authorizationPending)
    }

    @Test(
        .server(withSigningKeys: false),
        arguments: [
            "countersign-8080=", "countersign-8080=%00", "countersign-8080=\"\"", "countersign-8080=../../etc/passwd",
            "countersign-8080=' OR '1'='1' --        ",
            "countersign-8080=AAAAAAAAAAAAAAAA; countersign-8080=BBBBBBBBBBBBBBBB",
            "=;=;=", "\u{1F36A}=\u{1F36A}", String(repeating: "a=b; ", count: 2_000),
        ])
    func `that is nonsense is nobody's`(cookie: String) async throws {
        let answer = try await server.get("/account", headers: [.cookie: cookie])
        #expect(answer.location?.hasPrefix("/login") == true)
    }
}
