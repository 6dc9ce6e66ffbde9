/// The request of an app to a server through a browser: for an authorization code for a person.
///
/// ```swift
/// var request = AuthorizationRequest(
///     client: ClientID("app"),
///     redirectURI: "https://app.example/callback",
///     challenge: CodeChallenge(of: verifier)
/// )
/// request.scope = Scope([.openid])
/// request.state = state
/// let address = "https://id.example/authorize?\(request.form.encoded)"
/// ```
///
/// Standard: RFC 6749 §4.1.1; RFC 7636 §4.3; OpenID Connect Core 1.0 §3.1.2.1; RFC 9449 §10 (`dpop_jkt`).
public struct AuthorizationRequest: Sendable, Equatable {
    /// The way the answer reaches the app.
    ///
    /// Standard: OAuth 2.0 Multiple Response Type Encoding Practices §2.1; OAuth 2.0 Form Post Response Mode §2.
    public enum ResponseMode: String, Sendable, CaseIterable {
        /// The query of the redirect URI.
        case query
        /// A form that the browser posts to the redirect URI.
        case formPost = "form_post"
    }

    /// A prompt that the server must show the person, or must not.
    ///
    /// Standard: OpenID Connect Core 1.0 §3.1.2.1 (`prompt`).
    public enum Prompt: String, Sendable, CaseIterable {
        /// Nothing: answer at once, or with an error.
        case none
        /// The person has to sign in again.
        case login
        /// The person has to approve again.
        case consent
        /// The person has to choose an account.
        case selectAccount = "select_account"
    }

    /// The requesting app.
    public var client: ClientID
    /// The address of the answer; `nil` when the request leaves it to the registration.
    public var redirectURI: String?
    /// The scope that the app asks for; empty for all that it is registered for.
    public var scope = Scope.none
    /// A value that the answer repeats, so that the app recognizes its own request.
    public var state: String?
    /// The way the answer reaches the app; `nil` for a query.
    public var responseMode: ResponseMode?
    /// A value that the ID token repeats.
    public var nonce: String?
    /// The prompts that the server must show the person, or must not; empty to leave it to the server.
    public var prompts: Set<Prompt> = []
    /// The person must have signed in at most so many seconds ago.
    public var maxAge: Int?
    /// The name that the person probably signs in with.
    public var loginHint: String?
    /// The languages of the pages that the app would like, as tags with spaces between (`ui_locales`).
    public var locales: String?
    /// An ID token that this server gave to the app: the person in it shall sign in (`id_token_hint`).
    public var idTokenHint: UnverifiedIDToken?
    /// The claims about the person that the app asks for one by one; `nil` for those of its scope.
    public var claims: ClaimsRequest?
    /// The classes of authentication that the app would like, in its order of preference (`acr_values`).
    public var authenticationClasses: [String] = []
    /// The challenge of the verifier that the code is bound to; `nil` when the request has none, which this project's
    /// server refuses.
    public var challenge: CodeChallenge?
    /// The thumbprint of the key that the code is bound to (`dpop_jkt`).
    public var dpopKey: KeyThumbprint?
    /// The program that will act for the person; `nil`, the default, for an app of theirs. An addition of Countersign.
    public var service: GuestService?

    /// Creates a request to send.
    public init(client: ClientID, redirectURI: String, challenge: CodeChallenge) {
        self.client = client
        self.redirectURI = redirectURI
        self.challenge = challenge
    }

    /// Reads a request.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when a parameter is missing or malformed,
    ///   `unsupported_response_type` for every type but `code`, `invalid_scope` for a malformed scope.
    public init(form: Form) throws(OAuthError) {
        client = ClientID(try form.required("client_id"))
        redirectURI = form["redirect_uri"]
        state = form["state"]
        guard try form.required("response_type") == Self.responseType else {
            throw OAuthError(
                .unsupportedResponseType, "the response type is \(Self.responseType)", because: "another response type")
        }
        scope = try form.scope()
        nonce = form["nonce"]
        loginHint = form["login_hint"]
        locales = form["ui_locales"]
        if scope.contains(.openid) {
            idTokenHint = form["id_token_hint"].map { UnverifiedIDToken(revealing: $0) }
            claims = try form["claims"].map { text throws(OAuthError) in try ClaimsRequest(parsing: text) }
        }
        responseMode = try form.parsed("response_mode", by: ResponseMode.init(rawValue:))
        prompts = try Self.prompts(form)
        maxAge = try form.parsed("max_age", by: Self.seconds)
        authenticationClasses = (form["acr_values"] ?? "").split(separator: " ").map(String.init)
        challenge = try Self.challenge(form)
        dpopKey = try form.parsed("dpop_jkt") { KeyThumbprint(parsing: $0) }
        service = try form.service()
    }

    /// The only response type: an authorization code.
    public static let responseType = "code"

    /// The parameters that a client sends.
    public var form: Form {
        let form: Form = [
            "response_type": Self.responseType,
            "client_id": client.rawValue,
            "redirect_uri": redirectURI,
            "scope": scope.description,
            "state": state,
            "response_mode": responseMode?.rawValue,
            "nonce": nonce,
            "prompt": Prompt.allCases.filter(prompts.contains).map(\.rawValue).joined(separator: " "),
            "max_age": maxAge?.description,
            "login_hint": loginHint,
            "ui_locales": locales,
            "id_token_hint": idTokenHint?.revealed,
            "claims": claims?.text,
            "acr_values": authenticationClasses.joined(separator: " "),
            "code_challenge": challenge?.description,
            "code_challenge_method": challenge == nil ? nil : CodeChallenge.method,
            "dpop_jkt": dpopKey?.rawValue,
        ]
        return form.naming(service)
    }

    private static func prompts(_ form: Form) throws(OAuthError) -> Set<Prompt> {
        let named = try form.parsed("prompt") { text in
            let words = text.split(separator: " ")
            let prompts = words.compactMap { Prompt(rawValue: String($0)) }
            return prompts.count == words.count ? Set(prompts) : nil
        }
        let prompts = named ?? []
        guard !prompts.contains(.none) || prompts.count == 1 else {
            throw OAuthError(.invalidRequest, "prompt=none stands alone", because: "none with another prompt")
        }
        return prompts
    }

    /// A number of seconds; as good as no limit if it is larger than an integer.
    static func seconds(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int(text) ?? .max
    }

    /// The method `plain`, which a challenge without a method means, is refused: it discloses the verifier to any party
    /// that sees the request.
    private static func challenge(_ form: Form) throws(OAuthError) -> CodeChallenge? {
        guard form["code_challenge"] != nil else {
            guard form["code_challenge_method"] == nil else {
                throw OAuthError(.invalidRequest, "code_challenge is missing", because: "a method without challenge")
            }
            return nil
        }
        guard form["code_challenge_method"] == CodeChallenge.method else {
            throw OAuthError(
                .invalidRequest,
                "the code_challenge_method is \(CodeChallenge.method)",
                because: "another challenge method"
            )
        }
        return try form.parsed("code_challenge") { CodeChallenge(parsing: $0) }
    }
}
