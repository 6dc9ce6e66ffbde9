import Countersign
import CountersignWire
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The gate for requests", .server)
struct RequestGateTests {
    let server = TestServer.current

    /// Standard: RFC 9110 §15.5.20.
    @Test(arguments: [
        "evil.example", "localhost", "localhost:8081", "evil.example:8080",
    ])
    func `shows no page under another name, and changes nothing`(host: String) async throws {
        let anna = try await server.browser(of: .anna)
        let before = try await server.dump()
        for name in ["login", "activate", "account", "assets/style.css", ""] {
            let answer = try await server.get("/\(name)", headers: [.askedHost: host])
            #expect(answer.status == .misdirectedRequest, "\(name)")
            #expect(answer.headers[.setCookie] == nil)
            #expect(answer.text.contains("This address is not ours"))
        }
        let left = try await anna.confirm("logout", headers: [.askedHost: host])
        #expect(left.status == .misdirectedRequest)
        #expect(try await server.dump() == before)
    }

    @Test(arguments: ["localhost:8080", "LOCALHOST:8080", "127.0.0.1:8080", "[::1]:8080"])
    func `knows this machine by all its own names`(host: String) async throws {
        let answer = try await server.get("/login", headers: [.askedHost: host])
        #expect(answer.status == .ok)
    }

    @Test(arguments: [
        ("id.example", true), ("id.example:443", true), ("ID.example", true), ("127.0.0.1:8080", true),
        ("id.example:8443", false), ("127.0.0.1:8081", false), ("127.0.0.1", false), ("www.id.example", false),
        ("id.example.", false),
    ])
    func `knows the issuer with and without the usual port, and what it was told besides`(
        host: String,
        isOurs: Bool
    ) async throws {
        try await TestServer.open(
            issuer: "https://id.example/a",
            configuring: { $0.localHosts = ["127.0.0.1:8080"] },
            { server in
                let answer = try await server.get("/a/login", headers: [.askedHost: host])
                #expect(answer.status == (isOurs ? .ok : .misdirectedRequest))
            }
        )
    }

    @Test func `lets programs ask by any name, but no cookie`() async throws {
        let form = TestClients.tv.form
        let inside: HTTPFields = [.askedHost: "countersign.internal:8080"]
        let asked = try await server.post("/device_authorization", form, headers: inside)
        #expect(asked.status == .ok)
        var withCookie = inside
        withCookie[.cookie] = "countersign-8080=x"
        let refused = try await server.post("/device_authorization", form, headers: withCookie)
        #expect(refused.status == .misdirectedRequest && refused.error == .invalidRequest)
    }

    /// Standard: RFC 9112 §3.2.
    @Test func `wants one host that is well-formed, and one only`() async throws {
        for fields: HTTPFields in [
            [.askedHost: ""], [.askedHost: "a b"], [.askedHost: "id.example@evil.example"], [.askedHost: "x:y"],
            [.host: "localhost:8080"], [.host: "evil.example"],
        ] {
            let program = try await server.get("/jwks", headers: fields)
            #expect(program.status == .badRequest && program.error == .invalidRequest)
            let browser = try await server.get("/login", headers: fields)
            #expect(browser.status == .badRequest && browser.text.contains("<h1>"))
            let health = try await server.get("/health/live", headers: fields)
            #expect(health.status == .badRequest)
        }
        // Health is asked for by those who know no name of the server.
        #expect(try await server.get("/health/live", headers: [.askedHost: "10.0.0.7:8080"]).status == .ok)
    }

    /// Standard: RFC 9110 §10.1.1, §15.5.18.
    @Test(arguments: ["a-cookie", "100-continue, a-cookie", "100-continue;x=1"])
    func `refuses an expectation that it does not know`(expectation: String) async throws {
        for path in ["/token", "/jwks", "/login", "/nowhere"] {
            let answer = try await server.post(path, TestClients.tv.form, headers: [.expect: expectation])
            #expect(answer.status == .expectationFailed, "\(path)")
            let isPage = ["/login", "/nowhere"].contains(path)
            #expect(isPage ? answer.text.contains("promised here") : answer.error == .invalidRequest, "\(path)")
        }
    }

    /// Standard: RFC 9110 §9.1, §15.5.6.
    @Test(
        arguments: [
            ("TRACE", "/token", 405, "POST"), ("CONNECT", "/token", 405, "POST"),
            ("TRACE", "/login", 405, "GET, HEAD, POST"),
            ("DELETE", "/jwks", 405, "GET, HEAD"), ("PROPFIND", "/token", 405, "POST"),
            ("BREW", "/login", 405, "GET, HEAD, POST"),
            ("PROPFIND", "/nowhere", 404, nil), ("TRACE", "/nowhere", 404, nil), ("get", "/jwks", 405, "GET, HEAD"),
        ] as [(String, String, Int, String?)])
    func `tells a method that does not go here from one that goes nowhere`(
        method: String,
        path: String,
        status: Int,
        allowed: String?
    ) async throws {
        let answer = try await server.send(try #require(HTTPRequest.Method(method)), path)
        #expect(answer.status.code == status)
        #expect(answer.headers[.allow] == allowed)
        #expect(!answer.text.isEmpty)
    }

    @Test(arguments: [
        "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-For", "Forwarded", "X-Original-URL", "X-Host",
    ])
    func `believes nothing that anybody can write`(name: String) async throws {
        let field = try #require(HTTPField.Name(name))
        for value in ["evil.example", "https", "host=evil.example;proto=https", "/account"] {
            let plain = try await server.get("/.well-known/openid-configuration")
            let dressed = try await server.get("/.well-known/openid-configuration", headers: [field: value])
            #expect(plain.text == dressed.text)
            let login = try await server.get("/login", headers: [field: value])
            #expect(login.status == .ok && !login.text.contains("evil.example"))
            let other = try await server.get("/login", headers: [field: "localhost:8080", .askedHost: "evil.example"])
            #expect(other.status == .misdirectedRequest)
        }
    }
}
