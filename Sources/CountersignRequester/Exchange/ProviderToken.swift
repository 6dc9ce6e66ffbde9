public import Countersign
public import CountersignWire

/// Another provider's token that identifies a person, ready to be exchanged by ``TokenExchangeSignIn``.
///
/// ```swift
/// let token = ProviderToken.idToken(UnverifiedIDToken(revealing: credential.identityToken), nonce: nonce)
/// ```
///
/// Its description is redacted.
///
/// Standard: RFC 8693 §2.1, §3.
public struct ProviderToken: Sendable, Equatable {
    /// The token.
    public let token: SubjectToken
    /// Its kind.
    public let type: TokenTypeIdentifier
    /// The app's secret nonce of the sign-in; `nil` for a token without a nonce.
    public let nonce: SubjectTokenNonce?
    /// The provider, by the name that the server has for it; `nil`, the default, if the token or its kind is enough to
    /// find it. An addition of Countersign, which other servers ignore.
    public var subjectIssuer: String?

    /// A token of any kind, for servers that know others than those below.
    public init(_ token: SubjectToken, of type: TokenTypeIdentifier) {
        self.init(token, of: type, nonce: nil)
    }

    private init(_ token: SubjectToken, of type: TokenTypeIdentifier, nonce: SubjectTokenNonce?) {
        self.token = token
        self.type = type
        self.nonce = nonce
    }

    /// An ID token, as Apple, Google, Microsoft, Facebook's Limited Login and every other provider of OpenID Connect
    /// give one.
    ///
    /// - Parameters:
    ///   - token: The token, as the provider's software gave it to the app.
    ///   - nonce: The app's nonce, whose ``SubjectTokenNonce/challenge`` the provider received; `nil`, the default,
    ///     when it gave none.
    /// - Returns: The token, to be exchanged once.
    public static func idToken(_ token: UnverifiedIDToken, nonce: SubjectTokenNonce? = nil) -> ProviderToken {
        ProviderToken(SubjectToken(revealing: token.revealed), of: .idToken, nonce: nonce)
    }

    /// An access token that its provider confirms, as Facebook and X give one.
    ///
    /// - Parameter token: The token that the provider gave the app for the person.
    public static func accessToken(_ token: AccessToken) -> ProviderToken {
        ProviderToken(SubjectToken(revealing: token.revealed), of: .accessToken)
    }

    /// Token and secret of OAuth 1, as X gives them.
    ///
    /// - Parameter credentials: The token and its secret.
    /// - Returns: Both, to be exchanged.
    public static func oauth1(_ credentials: TokenCredentials) -> ProviderToken {
        ProviderToken(SubjectToken(credentials), of: .oauth1Credentials)
    }

    /// A token from reverse authentication.
    ///
    /// - Parameter credentials: The credentials that ``ReverseAuth`` returned.
    public init(_ credentials: ReverseAuthCredentials) {
        self.init(SubjectToken(credentials.token), of: .oauth1Credentials)
    }

    /// A token from an account of the system at a provider with a social graph.
    ///
    /// - Parameter credentials: The credentials that ``SocialGraphSignIn`` returned.
    public init(_ credentials: SocialGraphCredentials) {
        self.init(SubjectToken(revealing: credentials.token.revealed), of: .accessToken)
    }

    func request(for scope: Scope) -> TokenExchangeRequest {
        var request = TokenExchangeRequest(token, of: type, scope: scope)
        request.nonce = nonce
        request.subjectIssuer = subjectIssuer
        return request
    }
}
