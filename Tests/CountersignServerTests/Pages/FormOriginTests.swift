import Countersign
import CountersignWire
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

/// Standard: Fetch Metadata Request Headers §2.1; RFC 6454 §7.
@Suite("Where a form comes from", .server)
struct FormOriginTests {
    let server = TestServer.current
    static let tellings: [(String?, String?, Bool)] = [
        ("same-origin", nil, true), ("none", nil, true), ("same-site", nil, false), ("cross-site", nil, false),
        ("", nil, false), ("SAME-ORIGIN", nil, false), ("cross-site", "https://id.example", false),
        (nil, nil, true), (nil, "https://id.example", true), (nil, "HTTPS://ID.EXAMPLE", true),
        (nil, "https://evil.example", false), (nil, "http://evil.example", false), (nil, "http://id.example", false),
        (nil, "null", false),
        (nil, "https://id.example.evil.example", false), (nil, "https://id.example:8443", false), (nil, "", false),
        (nil, "https://id.example:443", true), (nil, "https://id.example/a", false),
        (nil, "https://evil.example, https://id.example", false),
    ]

    @Test(arguments: tellings)
    func `is read from the browser's header fields`(site: String?, origin: String?, isOurs: Bool) throws {
        var headers = HTTPFields()
        if let site { headers[.secFetchSite] = site }
        if let origin { headers[.origin] = origin }
        let request = Request(
            head: HTTPRequest(
                method: .post, scheme: "http", authority: "evil.example", path: "/a/login", headerFields: headers),
            body: RequestBody(buffer: ByteBuffer())
        )
        #expect(FormOrigin.isOurs(request, hosts: AllowedHosts(try Issuer("https://id.example/a"))) == isOurs)
    }

    static let forms = [
        "login", "logout", "activate", "activate/decision", "account/sign-out", "account/undo",
        "account/unmute",
    ]

    @Test(arguments: forms)
    func `must be a page of ours, or nothing happens`(form: String) async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        let grant = try await anna.approve(try await server.ask())
        try await server.mute(.tv)
        let fields = try self.fields(codes, grant).with(["form_token": anna.formToken])
        let before = try await server.dump()

        for site in ["cross-site", "same-site"] {
            let answer = try await anna.post(form, fields, headers: [.secFetchSite: site])
            #expect(answer.status == .forbidden)
        }
        for origin in ["https://evil.example", "null", "http://localhost:8081"] {
            let answer = try await forged(form, fields, anna, [.origin: origin])
            #expect(answer.status == .forbidden)
        }
        #expect(try await server.dump() == before)
    }

    @Test(arguments: forms)
    func `is proved by its token, or nothing happens`(form: String) async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        let other = try await server.browser(of: .anna)
        let stranger = try await server.newBrowser()
        try await anna.take(codes)
        let grant = try await anna.approve(try await server.ask())
        try await server.mute(.tv)
        let fields = self.fields(codes, grant)
        let before = try await server.dump()

        let tokens = ["wrong", other.formToken, stranger.formToken, anna.cookie, anna.formToken + "A"]
        for token in tokens {
            #expect(isRefused(try await anna.post(form, fields.with(["form_token": token])), form))
        }
        #expect(isRefused(try await forged(form, fields, anna, [.secFetchSite: "same-origin"]), form))
        // With the right token and no cookie.
        let complete = try fields.with(["form_token": anna.formToken])
        #expect(try await server.post("/\(form)", complete).status == .forbidden)
        #expect(try await server.dump() == before)
    }

    /// A person who is signed in already goes on from the sign-in page to the one behind it.
    private func isRefused(_ answer: TestResponse, _ form: String) -> Bool {
        form == "login"
            ? answer.location?.hasPrefix("/activate?user_code=") == true && answer.headers[.setCookie] == nil
            : answer.status == .forbidden
    }

    @Test(arguments: forms)
    func `counts also for browsers that tell nothing of it`(form: String) async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        let grant = try await anna.approve(try await server.ask())
        let fields = try self.fields(codes, grant).with(["form_token": anna.formToken])
        #expect(try await forged(form, fields, anna, [:]).status == .seeOther)
    }

    /// A form with the cookie of `browser`, and nothing but what `fields` and `headers` hold.
    private func forged(
        _ form: String,
        _ fields: Form,
        _ browser: TestBrowser,
        _ headers: HTTPFields
    ) async throws -> TestResponse {
        var headers = headers
        headers[.cookie] = browser.cookie
        return try await browser.server.post("/\(form)", fields, headers: headers)
    }

    private func fields(_ codes: DeviceAuthorizationResponse, _ grant: Grant.ID) -> Form {
        [
            "username": "bert", "password": TestPerson.bert.password.revealed, "decision": "approve",
            "user_code": codes.userCode.rawValue, "grant": grant.rawValue,
            "client": TestClients.tv.rawValue, DestructiveAct.field: DestructiveAct.mark,
        ]
    }
}
