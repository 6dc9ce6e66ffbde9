internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// Makes the authorization requests of an app.
///
/// Standard: RFC 6749 §4.1.1, RFC 7636 §4.3; OpenID Connect Core 1.0 §3.1.2.1.
struct CodeRequests: Sendable {
    let client: RequesterClient
    let scope: Scope
    let options: AppToAppOptions

    /// A request with new secrets.
    func request(to redirect: RedirectURI, at server: VerifiedServer) throws(SignInError) -> PendingSignIn {
        let mint = CodeMint(drawingFrom: client.context.random)
        return PendingSignIn(
            provider: client.provider.name,
            issuer: server.issuer,
            namesIssuer: server.namesIssuer,
            client: client.identity.id,
            redirectURI: redirect.text,
            scope: scope,
            state: mint.secret(),
            verifier: mint.secret(),
            nonce: scope.contains(.openid) ? mint.secret() : nil,
            tokenKey: try client.newKey(at: server),
            deadline: client.context.clock.now().addingTimeInterval(options.lifetime / .seconds(1))
        )
    }

    /// The address that asks for authorization. The request is pushed where the server has an endpoint for it; a refusal
    /// there ends the sign-in: the request is not sent by the address instead.
    ///
    /// - Parameters:
    ///   - pending: The request.
    ///   - endpoint: The authorization endpoint, or the address of the provider's app.
    ///   - parameters: Additional parameters of that app.
    ///   - conversation: The conversation with the server.
    ///
    /// Standard: RFC 9126 §2; RFC 9700 §2.1.
    func address(
        of pending: PendingSignIn,
        at endpoint: String,
        adding parameters: [ProviderApp.Parameter] = [],
        through conversation: ServerConversation
    ) async throws(SignInError) -> URL {
        let message = message(for: pending)
        let stored = try await client.retrier.attempt { () async throws(StepError) in
            try await conversation.pushed(message)
        }
        guard let address = (stored ?? message.form).address(at: endpoint, adding: parameters) else {
            throw SignInError(.badAnswer, because: "the authorization endpoint is no URL")
        }
        return address
    }

    /// The request as the provider gets it.
    private func message(for pending: PendingSignIn) -> AuthorizationRequest {
        var message = AuthorizationRequest(
            client: pending.client, redirectURI: pending.redirectURI, challenge: CodeChallenge(of: pending.verifier))
        message.scope = pending.scope
        message.state = pending.state.revealed
        message.nonce = pending.nonce?.revealed
        message.prompts = options.prompts
        message.loginHint = options.loginHint
        message.authenticationClasses = options.network.acrValues
        message.maxAge = options.maxAge
        message.service = options.network.service
        return message
    }
}
