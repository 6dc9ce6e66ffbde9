/// The kind of a token that is exchanged, or that comes of it.
///
/// Standard: RFC 8693 §3.
public struct TokenTypeIdentifier: Identifier {
    /// The URN of the kind.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An OAuth 2.0 access token.
    public static let accessToken = TokenTypeIdentifier("urn:ietf:params:oauth:token-type:access_token")
    /// An ID token of OpenID Connect.
    public static let idToken = TokenTypeIdentifier("urn:ietf:params:oauth:token-type:id_token")
    /// The token and secret of OAuth 1.0, as a form: `oauth_token=…&oauth_token_secret=…`. An addition of Countersign.
    public static let oauth1Credentials = TokenTypeIdentifier("urn:countersign:token-type:oauth1-credentials")
}

/// A token of another provider that a client presents, before any of it is trusted.
///
/// Standard: RFC 8693 §2.1 (`subject_token`).
public struct SubjectToken: Secret {
    /// The token as it came.
    public let revealed: String
    public init(revealing text: String) { revealed = text }

    /// Creates a token of the kind ``TokenTypeIdentifier/oauth1Credentials``.
    ///
    /// - Parameter credentials: The token and secret that the provider gave the app for the person.
    public init(_ credentials: TokenCredentials) { revealed = credentials.form.encoded }
}

/// A request that exchanges a token of another provider for tokens of this server.
///
/// ```swift
/// let request = TokenRequest.tokenExchange(
///     TokenExchangeRequest(SubjectToken(revealing: idToken), of: .idToken, scope: Scope([.openid]))
/// )
/// let body = request.form.encoded
/// ```
///
/// Standard: RFC 8693 §2.1.
public struct TokenExchangeRequest: Sendable, Equatable {
    /// The token of the other provider, which identifies the person.
    public var subjectToken: SubjectToken
    /// Its kind.
    public var subjectTokenType: TokenTypeIdentifier
    /// The scope that the client asks for; empty for all that it may have.
    public var scope: Scope
    /// The requested kind of token; `nil` for an access token.
    public var requestedTokenType: TokenTypeIdentifier?
    /// The name of the service that the requested token is for; `nil` for the one that it is registered for.
    public var audience: String?
    /// The same, by its address.
    public var resource: String?
    /// The other provider, by the name that this server has for it (`subject_issuer`); `nil` if the token names it
    /// itself. An addition of Countersign, for tokens without an issuer.
    public var subjectIssuer: String?
    /// The app's secret of the sign-in, for an ID token that has its digest as `nonce`; `nil` for a token without one.
    /// An addition of Countersign.
    public var nonce: SubjectTokenNonce?

    /// Creates a request to send.
    ///
    /// - Parameters:
    ///   - token: The token of the other provider.
    ///   - type: Its kind.
    ///   - scope: The scope that the client asks for; by default all that it may have.
    public init(_ token: SubjectToken, of type: TokenTypeIdentifier, scope: Scope = .none) {
        subjectToken = token
        subjectTokenType = type
        self.scope = scope
    }

    /// Reads a request.
    ///
    /// - Parameter form: The body of the request.
    /// - Throws: ``OAuthError`` `invalid_request` when a parameter is missing, for a nonce of more than 256 bytes or
    ///   without an ID token, and for an actor, which this server knows nothing of; `invalid_scope` for a malformed
    ///   scope; `invalid_target` for more than one service.
    public init(form: Form) throws(OAuthError) {
        subjectToken = SubjectToken(revealing: try form.required("subject_token"))
        subjectTokenType = TokenTypeIdentifier(try form.required("subject_token_type"))
        scope = try form.scope()
        requestedTokenType = form["requested_token_type"].map { TokenTypeIdentifier($0) }
        audience = try Self.target("audience", in: form)
        resource = try Self.target("resource", in: form)
        subjectIssuer = form["subject_issuer"]
        nonce = try Self.nonce(in: form, with: subjectTokenType)
        guard form["actor_token"] == nil, form["actor_token_type"] == nil else {
            throw OAuthError(.invalidRequest, "nobody can act for another here", because: "an actor token")
        }
    }

    private static func target(_ name: String, in form: Form) throws(OAuthError) -> String? {
        let names = form.all(name)
        guard let first = names.first else { return nil }
        guard names.allSatisfy({ $0 == first }) else {
            throw OAuthError(.invalidTarget, "a token is for one service", because: "\(names.count) values of \(name)")
        }
        return first
    }

    private static func nonce(in form: Form, with type: TokenTypeIdentifier) throws(OAuthError) -> SubjectTokenNonce? {
        guard let text = form["nonce"] else { return nil }
        guard type == .idToken else {
            throw OAuthError(.invalidRequest, "a nonce goes with an ID token", because: "a nonce with \(type)")
        }
        guard (1...SubjectTokenNonce.longest).contains(text.utf8.count) else {
            throw OAuthError(.invalidRequest, "the nonce is too long", because: "\(text.utf8.count) bytes")
        }
        return SubjectTokenNonce(revealing: text)
    }

    /// Writes the parameters of the request into a form.
    func write(to form: inout Form) {
        form["subject_token"] = subjectToken.revealed
        form["subject_token_type"] = subjectTokenType.rawValue
        form["scope"] = scope.description
        form["requested_token_type"] = requestedTokenType?.rawValue
        form["audience"] = audience
        form["resource"] = resource
        form["subject_issuer"] = subjectIssuer
        form["nonce"] = nonce?.revealed
    }
}
