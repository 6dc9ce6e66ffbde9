public import Countersign
public import CountersignWire

/// Signs an app in at a server by what another provider gave it: an ID token, or a token that the server asks that
/// provider about.
///
/// ```swift
/// let signIn = TokenExchangeSignIn(
///     at: issuer, as: ClientID("recipes"), for: Scope([.openid, .offlineAccess]), keepingTokensIn: store)
/// let nonce = SubjectTokenNonce(drawingFrom: .system)
/// let token = try await apple.signIn(nonce: nonce.challenge)
/// let signedIn = try await signIn.exchange(.idToken(token, nonce: nonce))
/// ```
///
/// The server verifies the token, finds the person, and asks its policy, as with every other sign-in. The sign-in is
/// stored for ``TokenRefresher``. The server may be any that knows RFC 8693, with access tokens as the result.
///
/// Standard: RFC 8693 §2.
public struct TokenExchangeSignIn: Sendable {
    private let scope: Scope
    private let core: OneRequestSignIn

    /// Prepares a sign-in; nothing is sent before ``exchange(_:)`` or ``nonce()``.
    ///
    /// - Parameters:
    ///   - issuer: The server's address.
    ///   - client: The app's client id at the server.
    ///   - secret: The client secret; `nil`, the default, for an app that cannot keep one.
    ///   - scope: The requested scope; empty for all that the app may have. With `openid` the server has to identify
    ///     the signed-in person.
    ///   - store: The store that stores the tokens before ``exchange(_:)`` returns.
    ///   - options: Limits, attempts, and whether the tokens are bound to a key; the standard ones suit an ordinary
    ///     network.
    ///   - context: The network, the clock and the source of keys.
    public init(
        at issuer: Issuer,
        as client: ClientID,
        secret: ClientSecret? = nil,
        for scope: Scope,
        keepingTokensIn store: any TokenStore,
        options: SignInOptions = SignInOptions(),
        in context: RequesterContext = .system
    ) {
        self.scope = scope
        core = OneRequestSignIn(
            client: RequesterClient(at: issuer, as: client, secret: secret, options: options, in: context),
            store: store
        )
    }

    /// Gets a nonce from a server that demands its own.
    ///
    /// Give the provider its ``SubjectTokenNonce/challenge``, and ``exchange(_:)`` the nonce, within ten minutes.
    ///
    /// - Returns: A nonce for one exchange by this app.
    /// - Throws: ``SignInError``: `flow_not_offered` when the server gives none; others by network and server.
    public func nonce() async throws(SignInError) -> SubjectTokenNonce {
        let server = try await core.client.server(for: .tokens)
        guard let endpoint = server.exchangeNonce else {
            throw SignInError(.flowNotOffered, because: "no endpoint for nonces of exchange in the metadata")
        }
        let conversation = core.client.conversation(with: server)
        let answer = try await core.client.retrier.attempt { () async throws(StepError) -> ExchangeNonceResponse in
            try await conversation.post(Form(), to: endpoint, within: conversation.options.timeLimit).success()
        }
        return answer.nonce
    }

    /// Exchanges a token for a sign-in, and keeps that.
    ///
    /// An ID token counts once. So the request is repeated only where it certainly did not arrive, or the server is
    /// temporarily unavailable.
    ///
    /// - Parameter token: The token that the provider gave the app.
    /// - Returns: The tokens, already stored; the signed-in person if the server identifies them.
    /// - Throws: ``SignInError``: `subject_token_refused` for a token that is not good, was exchanged before, or whose
    ///   person has no account; `stronger_sign_in_needed` when the sign-in at the provider is not enough for the scope;
    ///   `answer_lost` when the answer was lost on the way, so that the person has to sign in at the provider once
    ///   more; others by network, server and store. Received tokens that could not be stored are revoked.
    public func exchange(_ token: ProviderToken) async throws(SignInError) -> CompletedSignIn {
        do throws(SignInError) {
            return try await core.signIn(by: .exchange(token, for: scope))
        } catch {
            throw error.inExchange
        }
    }
}

extension OneRequestSignIn.RequestTerms {
    /// The request that exchanges a token of another provider.
    static func exchange(_ token: ProviderToken, for scope: Scope) -> Self {
        Self(
            request: .tokenExchange(token.request(for: scope)),
            scope: scope,
            invalidGrant: .subjectTokenRefused,
            // A server that omits it issues the requested type: an access token.
            accepts: { $0 ?? .accessToken == .accessToken }
        )
    }
}

extension SignInError {
    /// The error of the server, mapped to its meaning in an exchange. Standard: RFC 8693 §2.2.2.
    var inExchange: SignInError {
        let meaning: Code
        switch providerCode {
        case OAuthError.Code.invalidRequest.rawValue: meaning = .subjectTokenRefused
        case OAuthError.Code.unmetAuthenticationRequirements.rawValue: meaning = .strongerSignInNeeded
        default: return self
        }
        return SignInError(meaning, providerCode: providerCode ?? "", providerDescription: providerDescription)
    }
}
