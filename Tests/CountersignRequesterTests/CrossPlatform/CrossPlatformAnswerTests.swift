import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignRequester

@Suite("What a provider answers")
struct CrossPlatformAnswerTests {
    static let domain = Domain("radio.example")
    static let token = #"{"access_token":"t","token_type":"bearer","expires_in":60,"domain":"radio.example"}"#

    @Test func `is a token, also where nobody names the service`() {
        guard case .granted(let response) = Self.answer(Self.token) else {
            Issue.record("no token")
            return
        }
        #expect(response.domainDisplayName == nil)
        #expect(response.userName == nil)
    }

    @Test(arguments: [
        #"{"access_token":"t","token_type":"Bearer","domain":"radio.example","error":null,"reason":null}"#,
        #"{"access_token":"t","token_type":"BEARER","expires_in":"60","domain":"radio.example","scope":"x"}"#,
        #"{"access_token":"t","token_type":"bearer","expires_in":null,"domain":"radio.example","user_name":null}"#,
    ])
    func `is a token whatever else is in it`(body: String) {
        guard case .granted = Self.answer(body) else {
            Issue.record("no token")
            return
        }
    }

    @Test(arguments: [
        (202, #"{"reason":"authorization_pending"}"#), (202, #"{"reason":"the_moon_is_full"}"#), (202, "{}"),
        (202, ""), (202, #"{"reason":null}"#), (200, #"{"reason":"authorization_pending"}"#),
    ])
    func `means that nobody has decided`(status: Int, body: String) {
        #expect(Self.answer(body, status: status) == .pending(held: nil))
    }

    @Test func `tells how long it was held back`() {
        let fields: HTTPFields = [.init("Preference-Applied") ?? .accept: "wait=30"]
        let answer = Self.answer(#"{"reason":"authorization_pending"}"#, status: 202, fields: fields)
        #expect(answer == .pending(held: WaitPreference(seconds: 30)))
    }

    @Test(arguments: [
        (400, #"{"error":"slow_down"}"#, nil), (400, #"{"error":"slow_down","retry_in":7}"#, 7),
        (400, #"{"error":"slow_down","retry_in":"7"}"#, 7), (429, #"{"error":"slow_down","retry_in":6.2}"#, 7),
        (400, #"{"error":"slow_down","retry_in":-3}"#, nil), (400, #"{"error":"slow_down","retry_in":1e30}"#, nil),
        (400, #"{"error":"slow_down","retry_in":null}"#, nil), (200, #"{"error":"slow_down","retry_in":[]}"#, nil),
    ])
    func `slows the device down, for as long as it says`(status: Int, body: String, seconds: Int?) {
        #expect(Self.answer(body, status: status) == .slowDown(retryIn: seconds.map { RetryAfter(seconds: $0) }))
    }

    @Test func `may slow the device down by its header`() {
        let answer = Self.answer(#"{"error":"slow_down"}"#, status: 429, fields: [.retryAfter: "9"])
        #expect(answer == .slowDown(retryIn: RetryAfter(seconds: 9)))
    }

    @Test(arguments: [200, 201, 202, 400, 401, 403, 404, 410])
    func `is an error whatever its status`(status: Int) {
        let answer = Self.answer(#"{"error":"cancelled","access_token":"t"}"#, status: status)
        #expect(answer == .denied(SignInError(.denied, because: "")))
        #expect(answer.error?.providerCode == "cancelled")
    }

    @Test(arguments: [(500, TemporaryFailure.serverFault), (502, .interrupted), (503, .busy), (429, .busy)])
    func `is temporaryFailure at a gateway, whatever the gateway says`(status: Int, temporaryFailure: TemporaryFailure)
    {
        let answer = Self.answer(#"{"error":"invalid_client"}"#, status: status)
        #expect(answer == .failed(temporaryFailure, retryAfter: nil, because: "the server says invalid_client"))
    }

    @Test(arguments: [("temporarily_unavailable", TemporaryFailure.busy), ("server_error", .serverFault)])
    func `is temporaryFailure that may pass when it says so`(error: String, temporaryFailure: TemporaryFailure) {
        let answer = Self.answer(#"{"error":"\#(error)"}"#, status: 400)
        #expect(answer == .failed(temporaryFailure, retryAfter: nil, because: "the server says \(error)"))
    }

    @Test(arguments: [
        (200, ""), (200, "null"), (200, "[]"), (200, "\"text\""), (200, "{"), (200, "{}"), (202, "[]"), (202, "<p>"),
        (200, #"{"access_token":null,"token_type":"bearer","domain":"radio.example"}"#),
        (200, #"{"access_token":"","token_type":"bearer","domain":"radio.example"}"#),
        (200, #"{"access_token":7,"token_type":"bearer","domain":"radio.example"}"#),
        (200, #"{"access_token":"t\r\nX: y","token_type":"bearer","domain":"radio.example"}"#),
        (200, #"{"access_token":"t","token_type":"mac","domain":"radio.example"}"#),
        (200, #"{"access_token":"t","token_type":"bearer","domain":"tv.example"}"#),
        (200, #"{"access_token":"t","token_type":"bearer"}"#),
        (400, token), (404, "{}"), (302, token), (301, #"{"error":"cancelled"}"#), (204, ""), (100, token),
    ])
    func `makes no sense`(status: Int, body: String) {
        #expect(Self.answer(body, status: status) == .unreadable(because: ""))
    }

    @Test func `makes no sense as a page`() {
        #expect(Self.answer(Self.token, type: "text/html") == .unreadable(because: ""))
    }

    @Test(arguments: [#"{"error":7}"#, #"{"error":""}"#, #"{"error":["cancelled"]}"#, #"{"error":"party_time"}"#])
    func `is final when its error is unknown`(body: String) {
        #expect(Self.answer(body, status: 400) == .refused(SignInError(.refused, because: "")))
    }

    @Test func `is fit for a log, whatever a provider says`() {
        let refusal = RecordedExchangesTests.says(
            CrossPlatformError.Code("odd\ncode"),
            "two\nlines \u{1B}[31m\(String(repeating: "x", count: 5_000))"
        )
        let error = SignInError(refusal)
        #expect(error.code == .refused)
        #expect(error.providerCode == "oddcode")
        #expect(error.providerDescription?.hasPrefix("twolines [31mxxx") == true)
        #expect(error.providerDescription?.count == 200)
    }

    @Test(arguments: [
        "", "null", "[]", "{}", #"{"device_code":"c"}"#, #"{"device_code":"c","expires_in":-1}"#,
        #"{"device_code":"c","expires_in":0}"#, #"{"device_code":"c","user_code":"A","expires_in":60}"#,
        #"{"device_code":"c","user_code":"A","verification_uri":"javascript:alert(1)","expires_in":60}"#,
        #"{"device_code":"c","user_code":"A","verification_uri":"http://ap.example","expires_in":60}"#,
        #"{"device_code":"c","user_code":"\u001b[2JA","verification_uri":"https://e.com","expires_in":60}"#,
        #"{"device_code":"c","verification_uri":"https://e.com","expires_in":60,"interval":999}"#,
    ])
    func `is shown to nobody when a code makes no sense`(body: String) async throws {
        let transport = CrossPlatformProviderTests.WhenItFails.scripted()
        transport.reply(at: "/ap/associate", with: .text(body, type: "application/json"))
        let screen = RecordingPresentation()
        let app = CrossPlatformApp(at: transport)
        await #expect(throws: SignInError.self) {
            try await app.provider().requestToken(for: Self.domain, ofType: .user, presenting: screen)
        }
        #expect(await screen.calls.isEmpty)
        #expect(transport.sent(to: "/ap/token").isEmpty)
    }

    @Test(arguments: [
        "", "[]", #"{"client_id":"1"}"#, #"{"client_id":"","client_secret":"s"}"#,
        #"{"client_id":"1","client_secret":null}"#, #"{"client_id":"1","client_secret":""}"#,
    ])
    func `is no identity`(body: String) async throws {
        let transport = ScriptedTransport(["/ap/register": [.text(body, type: "application/json", status: .created)]])
        let app = CrossPlatformApp(at: transport)
        await #expect(throws: SignInError(.badAnswer, because: "")) {
            try await app.provider().requestToken(for: Self.domain, ofType: .client)
        }
        #expect(await app.store.keys().isEmpty)
    }

    @Test func `says that there is no provider where there is a page for people`() async throws {
        let page = ScriptedTransport.Reply.text("<html>", type: "text/html", status: .notFound)
        let app = CrossPlatformApp(at: ScriptedTransport(["/ap/register": [page]]))
        await #expect(throws: SignInError(.noServerFound, because: "")) {
            try await app.provider().requestToken(for: Self.domain, ofType: .client)
        }
    }

    @Test func `is not asked for without encryption, unless that was allowed by name`() async throws {
        var app = CrossPlatformApp(at: SmallProvider())
        app.address = "http://ap.example/ap"
        #expect(throws: Issuer.ParsingError.insecure) { try app.provider() }
        let allowed = try app.provider { $0.allowingInsecureHTTP = true }
        _ = try await allowed.requestToken(for: Self.domain, ofType: .client)
        // An address that was allowed elsewhere is not allowed here.
        let careless = CrossPlatformProvider(
            at: allowed.address,
            as: allowed.software,
            keepingTokensIn: MemoryTokenStore(),
            in: RequesterContext(over: app.transport, clock: app.clock.skipping, random: .system)
        )
        await #expect(throws: SignInError(.insecureEndpoint, because: "")) {
            try await careless.requestToken(for: Self.domain, ofType: .client)
        }
    }

    private static func answer(
        _ body: String,
        status: Int = 200,
        type: String = "application/json; charset=utf-8",
        fields: HTTPFields = [:]
    ) -> PollResult<CrossPlatformTokenResponse> {
        var fields = fields
        fields[.contentType] = type
        let response = HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: fields)
        return PollResult(crossPlatform: HTTPAnswer(response, body: Array(body.utf8))) { $0.problem(for: domain) }
    }
}

extension PollResult {
    /// The error of a final result; `nil` for another one.
    var error: SignInError? {
        switch self {
        case .denied(let error), .expired(let error), .refused(let error): error
        case .pending, .slowDown, .granted, .failed: nil
        }
    }
}
