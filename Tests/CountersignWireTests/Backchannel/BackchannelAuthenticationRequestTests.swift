import Countersign
import CountersignWire
import Testing

/// Standard: OpenID CIBA Core 1.0 §7.1.
@Suite("A request over the back channel")
struct BackchannelAuthenticationRequestTests {
    private func request(_ form: String) throws -> BackchannelAuthenticationRequest {
        try BackchannelAuthenticationRequest(form: try Form(parsing: Array(form.utf8)))
    }

    /// The example of the standard, without the client's credentials.
    private static let example = """
        scope=openid%20email%20example-scope&client_notification_token=8d67dc78-7faa-4d41-aabd-67707b374255\
        &binding_message=W4SCT&login_hint_token=eyJraWQiOiJsdGFjZXNidyIsImFsZyI6IkVTMjU2In0.eyJz.Pj
        """

    @Test func `is that of the standard`() throws {
        let read = try request(Self.example)
        #expect(read.scope == Scope([.openid, .email, ScopeWord("example-scope")]))
        #expect(read.notificationToken?.revealed == "8d67dc78-7faa-4d41-aabd-67707b374255")
        #expect(read.bindingMessage == BindingMessage("W4SCT"))
        #expect(read.hint == .token("eyJraWQiOiJsdGFjZXNidyIsImFsZyI6IkVTMjU2In0.eyJz.Pj"))
        #expect(read.requestedExpiry == nil && read.acrValues.isEmpty && read.userCode == nil)
    }

    @Test func `is read as it was sent`() throws {
        var sent = BackchannelAuthenticationRequest(for: .login("anna"), scope: Scope([.openid]))
        sent.bindingMessage = BindingMessage(parsing: "Beleg 4711 – ja?")
        sent.notificationToken = ClientNotificationToken(parsing: "a-._~+/b==")
        sent.acrValues = ["urn:a", "urn:b"]
        sent.userCode = "1234"
        sent.requestedExpiry = 120
        #expect(try request(sent.form.encoded) == sent)
        let byToken = BackchannelAuthenticationRequest(
            for: .idToken(UnverifiedIDToken(revealing: "a.b.c")), scope: Scope([.openid, .profile]))
        #expect(try request(byToken.form.encoded) == byToken)
    }

    @Test(arguments: [
        ("login_hint=a", OAuthError.Code.invalidRequest), ("scope=openid", .invalidRequest),
        ("scope=profile&login_hint=a", .invalidScope), ("scope=openid%22&login_hint=a", .invalidScope),
        ("scope=openid&login_hint=a&id_token_hint=b", .invalidRequest),
        ("scope=openid&login_hint=a&login_hint_token=b", .invalidRequest),
        ("scope=openid&login_hint=a&id_token_hint=b&login_hint_token=c", .invalidRequest),
        ("scope=openid&login_hint=a&requested_expiry=-1", .invalidRequest),
        ("scope=openid&login_hint=a&requested_expiry=1.5", .invalidRequest),
        ("scope=openid&login_hint=a&requested_expiry=00000000000000000001", .invalidRequest),
        ("scope=openid&login_hint=a&client_notification_token=%3D", .invalidRequest),
        ("scope=openid&login_hint=a&client_notification_token=a%0Ab", .invalidRequest),
        ("scope=openid&login_hint=a&binding_message=%E2%80%AEabc", .invalidBindingMessage),
        ("scope=openid&login_hint=a&binding_message=+abc", .invalidBindingMessage),
        ("scope=openid&login_hint=a&binding_message=a%09b", .invalidBindingMessage),
    ])
    func `is refused with the standard's word`(form: String, code: OAuthError.Code) {
        #expect(throws: OAuthError(code, because: "")) { try request(form) }
    }

    @Test func `waits no longer than a day`() throws {
        #expect(try request("scope=openid&login_hint=a&requested_expiry=999999999").requestedExpiry == 86_400)
        #expect(try request("scope=openid&login_hint=a&requested_expiry=1").requestedExpiry == 1)
    }

    @Test func `prints nothing of the person`() throws {
        let hint = PersonHint.login("anna@example.org")
        #expect(!"\(hint) \(String(reflecting: hint))".contains("anna"))
    }

    @Test(arguments: [
        ("W4SCT", true), (String(repeating: "x", count: 64), true), (String(repeating: "x", count: 65), false),
        ("", false), (" ", false), ("a\u{200D}b", false), ("a\u{202E}b", false), ("a\u{7}b", false),
        ("e\u{301}", true), ("e\u{301}\u{301}\u{301}\u{301}\u{301}", false), ("Köln 품질", true),
    ])
    func `has a message that can be shown and compared`(text: String, isGood: Bool) {
        #expect((BindingMessage(parsing: text) != nil) == isGood)
    }
}
