/// A client asks the server for the decision of a person, whom the client names and who may be anywhere.
///
/// ```swift
/// var request = BackchannelAuthenticationRequest(for: .login("anna"), scope: Scope([.openid]))
/// request.bindingMessage = BindingMessage(parsing: "W4SCT")
/// let body = request.form.encoded         // scope=openid&login_hint=anna&binding_message=W4SCT
/// ```
///
/// Standard: OpenID CIBA Core 1.0 §7.1.
public struct BackchannelAuthenticationRequest: Sendable, Equatable, Redacted {
    /// The longest time that a client may ask for, in seconds: a day.
    public static let longestExpiry = 86_400

    /// The requested scope; it contains `openid`.
    public var scope: Scope
    /// The person.
    public var hint: PersonHint
    /// The message that the person should see at both places.
    public var bindingMessage: BindingMessage?
    /// The token that authenticates the server when it notifies the client, in the modes *ping* and *push*.
    public var notificationToken: ClientNotificationToken?
    /// The classes of authentication that the client prefers, the best first.
    public var acrValues: [String]
    /// The code that the person has for such requests.
    public var userCode: String?
    /// The time that the request should wait for its decision, in seconds.
    public var requestedExpiry: Int?
    /// The program that will act for the person; `nil`, the default, for none. An addition of Countersign.
    public var service: GuestService?

    /// Creates a request to send.
    public init(for hint: PersonHint, scope: Scope) {
        self.hint = hint
        self.scope = scope
        acrValues = []
    }

    /// Reads a request.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` for a missing scope, another number of hints than one, a malformed
    ///   `client_notification_token`, `requested_expiry` or service; `invalid_scope` for a scope that is malformed or lacks
    ///   `openid`; `invalid_binding_message`.
    public init(form: Form) throws(OAuthError) {
        guard form["scope"] != nil else {
            throw OAuthError(.invalidRequest, "scope is missing", because: "scope is missing")
        }
        scope = try form.scope()
        guard scope.contains(.openid) else {
            throw OAuthError(.invalidScope, "the scope needs openid", because: "no openid")
        }
        hint = try PersonHint(form: form)
        bindingMessage = try form["binding_message"].map { text throws(OAuthError) in
            guard let message = BindingMessage(parsing: text) else {
                throw OAuthError(
                    .invalidBindingMessage,
                    "binding_message needs 1 to \(BindingMessage.longest) characters that can be shown in one line",
                    because: "unpresentable binding message"
                )
            }
            return message
        }
        notificationToken = try form["client_notification_token"].map { text throws(OAuthError) in
            guard let token = ClientNotificationToken(parsing: text) else {
                throw OAuthError(
                    .invalidRequest,
                    "client_notification_token is no bearer token of at most \(ClientNotificationToken.longest) characters",
                    because: "malformed notification token"
                )
            }
            return token
        }
        acrValues = (form["acr_values"] ?? "").split(separator: " ").map(String.init)
        userCode = form["user_code"]
        requestedExpiry = try form["requested_expiry"].map { text throws(OAuthError) in
            guard text.utf8.count <= 9, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int(text),
                seconds > 0
            else {
                throw OAuthError(
                    .invalidRequest,
                    "requested_expiry is no positive whole number",
                    because: "malformed requested_expiry"
                )
            }
            return min(seconds, Self.longestExpiry)
        }
        service = try form.service()
    }

    /// The form that a client sends, without its credentials.
    public var form: Form {
        let form: Form = [
            "scope": scope.description,
            hint.parameter.name: hint.parameter.value,
            "binding_message": bindingMessage?.rawValue,
            "client_notification_token": notificationToken?.revealed,
            "acr_values": acrValues.joined(separator: " "),
            "user_code": userCode,
            "requested_expiry": requestedExpiry?.description,
        ]
        return form.naming(service)
    }
}
