import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignGate

@Suite("The question of a proxy")
struct CheckEndpointTests {
    private static let page = [("Accept", "text/html"), ("Sec-Fetch-Mode", "navigate")]

    @Test func `is answered with the person, every field of which is there`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let cookie = try await client.signedIn()
            let response = try await client.check("/photos", cookie: cookie)
            #expect(response.status == .ok)
            #expect(response.passed(.user) == "anna")
            #expect(response.passed(.groups) == "family")
            #expect(response.passed(.email) == "anna@example.com")
            #expect(response.passed(.name) == "%C3%84nna")
            #expect(response.passed(.assertion)?.split(separator: ".").count == 3)
        }
    }

    @Test func `about a public path is answered with empty fields for nobody`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let response = try await client.check("/share/a")
            #expect(response.status == .ok)
            for header in PersonHeader.allCases { #expect(response.passed(header)?.isEmpty == true) }
        }
    }

    @Test(arguments: [("x-forwarded", HTTPResponse.Status.found), ("x-original", .unauthorized)])
    func `sends a browser to sign in`(dialect: String, status: HTTPResponse.Status) async throws {
        let test = try GateUnderTest(dialect: dialect)
        defer { test.remove() }
        try await test.with { client in
            let response = try await client.check("/photos?a=b", fields: Self.page)
            #expect(response.status == status)
            #expect(response.headers[.location] == "http://localhost/gate/sign-in?to=%2Fphotos%3Fa%3Db")
        }
    }

    @Test(arguments: [
        ("POST", nil, "%2F"), ("DELETE", nil, "%2F"), ("HEAD", "http://localhost/form", "%2Forders"),
        ("POST", "http://localhost/form?a=b", "%2Fform%3Fa%3Db"), ("POST", "http://localhost/", "%2F"),
        ("POST", "http://localhost", "%2F"), ("POST", "http://localhost.evil.example/x", "%2F"),
        ("POST", "http://localhost/a/../b", "%2F"), ("POST", "//localhost/x", "%2F"),
    ])
    func `about a form that was posted leads back to its page`(
        method: String, page: String?, target: String
    ) async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let fields = Self.page + (page.map { [("Referer", $0)] } ?? [])
            let response = try await client.check("/orders", method, fields: fields)
            #expect(response.headers[.location] == "http://localhost/gate/sign-in?to=\(target)")
        }
    }

    @Test func `about a long address leads back to the start of the site`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let long = "/" + String(repeating: "a", count: 1_024)
            let response = try await client.check(long, fields: Self.page)
            #expect(response.headers[.location] == "http://localhost/gate/sign-in?to=%2F")
        }
    }

    @Test(arguments: [
        [("Accept", "application/json")], [("Accept", "*/*")], [("Accept", "text/html"), ("Sec-Fetch-Mode", "cors")],
        [("Accept", "text/html"), ("Sec-Fetch-Mode", "navigate"), ("Sec-WebSocket-Key", "a")],
    ])
    func `challenges what is no page`(fields: [(String, String)]) async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let response = try await client.check("/photos", fields: fields)
            #expect(response.status == .unauthorized)
            #expect(response.headers[.wwwAuthenticate] == #"Bearer realm="localhost""#)
            #expect(response.headers[.location] == nil)
        }
    }

    @Test(arguments: [
        "/a/../share/x", "/share/%2e%2e/x", "/Admin", "//share/a", "/share/..;/x", "/share/..%3B/x", "/..%23/admin/x",
    ])
    func `about an ambiguous path is refused`(uri: String) async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let cookie = try await client.signedIn()
            #expect(try await client.check(uri, cookie: cookie).status == .forbidden)
        }
    }

    private static let whole = [
        ("X-Forwarded-Method", "GET"), ("X-Forwarded-Proto", "http"), ("X-Forwarded-Host", "localhost"),
        ("X-Forwarded-Uri", "/share/a"),
    ]

    @Test(arguments: 0..<4)
    func `is refused when a field is missing, doubled, empty or a list`(place: Int) async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        let field = Self.whole[place]
        let others = Self.whole.filter { $0.0 != field.0 }
        let wrong = [
            others, Self.whole + [field], others + [(field.0, "")], others + [(field.0, "\(field.1), \(field.1)")],
        ]
        try await test.with { client in
            let whole = try await client.ask(Self.whole)
            #expect(whole.status == .ok)
            for fields in wrong {
                let response = try await client.ask(fields)
                #expect(response.status == .forbidden)
            }
        }
    }

    @Test(arguments: [
        ("X-Forwarded-Host", "other.example.com"), ("X-Forwarded-Host", "localhost."),
        ("X-Forwarded-Host", "a@localhost"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-Method", "get"),
        ("X-Forwarded-Method", "GET /"),
    ])
    func `about another site, scheme or method is refused`(name: String, value: String) async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let response = try await client.ask(Self.whole.filter { $0.0 != name } + [(name, value)])
            #expect(response.status == .forbidden)
        }
    }

    @Test func `ignores the fields of the other dialect`() async throws {
        let test = try GateUnderTest(dialect: "x-original")
        defer { test.remove() }
        try await test.with { client in
            let response = try await client.ask(Self.whole)
            #expect(response.status == .forbidden)
            #expect(try await client.check("/photos", fields: Self.whole).status == .unauthorized)
        }
    }

    @Test(arguments: [
        ("Remote-User", "root"), ("Remote-User", ""), ("Remote.User", "root"), ("REMOTE_GROUPS", "admins"),
        ("Remote~Email", "a@b"), ("X.Countersign_Assertion", "e.y.J"), ("X-Original-URL", "/share/a"),
        ("X_Rewrite.Url", "/share/a"), ("X-HTTP-Method-Override", "DELETE"), ("X_HTTP.Method_Override", "DELETE"),
        ("Upgrade", "h2c"), ("Upgrade", "websocket, h2c"), ("X-Forwarded-Method", "CONNECT"),
        ("Connection", "close, Remote-User"), ("Connection", "remote_groups"),
        ("Connection", "Upgrade,\tX.Countersign_Assertion"), ("Connection", "keep-alive, REMOTE-USER"),
    ])
    func `is refused when a field of the client misleads a site`(name: String, value: String) async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let fields = Self.whole.filter { $0.0 != name } + [(name, value)]
            let response = try await client.ask(fields)
            #expect(response.status == .forbidden)
        }
    }

    @Test(arguments: [
        ("User-Agent", "Remote-User"), ("X-Requested-With", "XMLHttpRequest"), ("Remote-Addr", "a"),
        ("Connection", "close, Cookie"), ("Connection", "close"), ("Connection", "keep-alive"),
        ("Connection", "Upgrade"),
        ("Connection", "remot, counter-sign"),
    ])
    func `is answered in spite of other fields`(name: String, value: String) async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let response = try await client.check("/share/a", fields: [(name, value)])
            #expect(response.status == .ok)
        }
    }

    @Test func `follows the groups of the person`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let cookie = try await client.signedIn()
            #expect(try await client.check("/admin/a", cookie: cookie).status == .forbidden)
            test.server.change { $0.groups = ["admins", "family"] }
            test.clock.advance(by: .seconds(11))
            let response = try await client.check("/admin/a", cookie: cookie)
            #expect(response.status == .ok)
            #expect(response.passed(.groups) == "admins,family")
        }
    }

    @Test func `asks for a stronger sign-in, and takes it`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let cookie = try await client.signedIn()
            let page = try await client.check("/vault/a", cookie: cookie, fields: Self.page)
            #expect(page.status == .found)
            #expect(page.headers[.location]?.contains("acr_values=urn%3Acountersign%3Aacr%3Apasskey") == true)
            #expect(page.headers[.location]?.contains("max_age=300") == true)
            let script = try await client.check("/vault/a", cookie: cookie)
            #expect(script.status == .unauthorized)
            #expect(script.headers[.wwwAuthenticate]?.contains("insufficient_user_authentication") == true)

            let begun = try await client.begin("to=/vault/a&acr_values=urn:countersign:acr:passkey&max_age=300")
            #expect(begun.parameters["acr_values"] == "urn:countersign:acr:passkey")
            #expect(begun.parameters["max_age"] == "300")
            #expect(try await client.finish(begun).status == .forbidden)
            test.server.change { $0.authenticationClass = "urn:countersign:acr:passkey" }
            let finished = try await client.finish(begun)
            #expect(finished.headers[.location] == "http://localhost/vault/a")
            let stronger = try #require(finished.headers[.setCookie]).cookiePair
            #expect(try await client.check("/vault/a", cookie: stronger).status == .ok)
        }
    }

    /// User names that are alike without joiners, and as far as a name is shown.
    private static let similar = [
        ("نامهای", "نامه\u{200C}ای"),
        (
            "\(String(repeating: "a", count: 103))1@example.com",
            "\(String(repeating: "a", count: 103))2@example.com"
        ),
    ]

    @Test(arguments: similar)
    func `tells people apart whose user names look alike`(first: String, second: String) async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            for (username, token) in [(first, "one"), (second, "two")] {
                test.server.change { $0.username = username }
                let cookie = try await client.signedIn()
                for response in [
                    try await client.check("/photos", cookie: cookie),
                    try await client.check("/api/a", fields: [("Authorization", "Bearer \(token)")]),
                ] {
                    #expect(response.passed(.user) == PersonHeader.value(of: username))
                    #expect(response.statedUsername == username)
                }
            }
        }
        #expect(PersonHeader.value(of: first) != PersonHeader.value(of: second))
    }

    @Test func `lets nobody pass whose name for sites is missing`() async throws {
        let test = try GateUnderTest(more: #""remote-user": "email","#)
        defer { test.remove() }
        try await test.with { client in
            let named = try await client.signedIn()
            #expect(try await client.check("/photos", cookie: named).passed(.user) == "anna@example.com")
            test.server.change { $0.isEmailVerified = false }
            let nameless = try await client.signedIn()
            #expect(try await client.check("/photos", cookie: nameless).status == .forbidden)
            // The server tells no address of the person of a token.
            #expect(
                try await client.check("/api/a", fields: [("Authorization", "Bearer a-token")]).status == .forbidden)
            let shared = try await client.check("/share/a", cookie: nameless)
            #expect(shared.status == .ok)
            for header in PersonHeader.allCases { #expect(shared.passed(header)?.isEmpty == true) }
        }
    }

    @Test(arguments: [("x-forwarded", HTTPResponse.Status.badRequest), ("x-original", .unauthorized)])
    func `refuses what is no token by a status that the proxy knows`(
        dialect: String, status: HTTPResponse.Status
    ) async throws {
        let test = try GateUnderTest(dialect: dialect)
        defer { test.remove() }
        try await test.with { client in
            let response = try await client.check("/api/a", fields: [("Authorization", "Bearer a b")])
            #expect(response.status == status)
            #expect(response.headers[.wwwAuthenticate]?.contains(#"error="invalid_request""#) == true)
        }
    }

    @Test func `takes the token of an API client where a rule says so`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let token = [("Authorization", "Bearer a-token")]
            let response = try await client.check("/api/a", fields: token)
            #expect(response.status == .ok)
            #expect(response.passed(.user) == "anna")
            #expect(response.passed(.name) == "" && response.passed(.email) == "")
            #expect(try await client.check("/photos", fields: token).status == .unauthorized)
            test.server.change { $0.isSignedIn = false }
            let refused = try await client.check("/api/a", fields: [("Authorization", "Bearer another")])
            #expect(refused.status == .unauthorized)
            #expect(refused.headers[.wwwAuthenticate]?.contains(#"error="invalid_token""#) == true)
        }
    }

    @Test func `demands the scope that tells of groups where a rule names some`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let refused = try await client.check("/team/a", fields: [("Authorization", "Bearer a-token")])
            #expect(refused.status == .forbidden)
            let challenge = try #require(refused.headers[.wwwAuthenticate])
            #expect(challenge.contains(#"error="insufficient_scope""#) && challenge.contains(#"scope="groups""#))
            test.server.change { $0.scope = "openid groups" }
            let another = [("Authorization", "Bearer another")]
            #expect(try await client.check("/team/a", fields: another).status == .ok)
            test.server.change { $0.groups = ["guests"] }
            let stranger = try await client.check("/team/a", fields: [("Authorization", "Bearer a-third")])
            #expect(stranger.status == .forbidden)
            let words = #"error="insufficient_scope", error_description="the person is in no group of the rule""#
            #expect(stranger.headers[.wwwAuthenticate] == #"Bearer realm="localhost", \#(words)"#)
        }
    }

    @Test(arguments: [
        ("http://localhost", HTTPResponse.Status.ok), ("http://localhost:81", .forbidden), ("null", .forbidden),
    ])
    func `about a WebSocket depends on its origin`(origin: String, status: HTTPResponse.Status) async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let cookie = try await client.signedIn()
            let fields = [("Upgrade", "websocket"), ("Sec-WebSocket-Key", "a"), ("Origin", origin)]
            #expect(try await client.check("/socket", cookie: cookie, fields: fields).status == status)
            #expect(
                try await client.check("/socket", cookie: cookie, fields: Array(fields.dropLast())).status == .forbidden
            )
        }
    }
}
