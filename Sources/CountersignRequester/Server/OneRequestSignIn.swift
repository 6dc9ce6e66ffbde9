internal import Countersign
internal import CountersignWire

/// A sign-in that one token request gives, without a person to wait for: by a ticket, or by a token of another
/// provider.
///
/// The server may accept the ticket or token only once, so the request is repeated only if it certainly did not arrive.
/// Received tokens are verified and stored, or revoked.
struct OneRequestSignIn: Sendable {
    let client: RequesterClient
    let store: any TokenStore

    /// The request, and the demands on its answer.
    struct RequestTerms: Sendable {
        let request: TokenRequest
        /// The scope of the request; empty for all that there is.
        var scope = Scope.none
        /// The meaning of `invalid_grant` for this request.
        var invalidGrant = SignInError.Code.refused
        /// Whether the answer may be of this kind. Standard: RFC 8693 §2.2.1.
        var accepts: @Sendable (TokenTypeIdentifier?) -> Bool = { _ in true }
    }

    /// Sends the request, verifies the person if the server identifies them, and stores the tokens.
    func signIn(by asked: RequestTerms) async throws(SignInError) -> CompletedSignIn {
        try await store.requireSaving()
        let conversation = try await client.conversationForTokens()
        let response = try await conversation.response(to: asked)
        return try await conversation.givingBack(response) { () async throws(SignInError) in
            try await accept(response, to: asked, from: conversation)
        }
    }

    private func accept(
        _ response: TokenResponse,
        to asked: RequestTerms,
        from conversation: ServerConversation
    ) async throws(SignInError) -> CompletedSignIn {
        var identity: VerifiedIdentity?
        if response.idToken != nil || asked.scope.contains(.openid) {
            identity = try await conversation.verifiedIdentity(in: response)
        }
        let signedIn = try conversation.signedIn(by: response, for: asked.scope, as: identity)
        try await conversation.keep(signedIn, in: store)
        return signedIn
    }
}

extension RequesterClient {
    /// A conversation with the server's token endpoint, which needs nothing else of it.
    func conversationForTokens() async throws(SignInError) -> ServerConversation {
        let server = try await server(for: .tokens)
        return conversation(with: server, proving: try newKey(at: server))
    }
}

extension ServerConversation {
    /// Sends a request of this kind, and returns tokens of the kind that it asks for; revokes others.
    func response(to asked: OneRequestSignIn.RequestTerms) async throws(SignInError) -> TokenResponse {
        let response = try await client.retrier.attempt { () async throws(StepError) in try await tokens(for: asked) }
        return try await givingBack(response) { () async throws(SignInError) in
            guard asked.accepts(response.issuedTokenType) else {
                throw SignInError(.badAnswer, because: "the server issued another kind of token")
            }
            return response
        }
    }

    /// Sends a token request that would do harm if it were sent twice; one that may have arrived is not repeated.
    fileprivate func tokens(for asked: OneRequestSignIn.RequestTerms) async throws(StepError) -> TokenResponse {
        let answer: HTTPAnswer
        do throws(TransportError) {
            answer = try await send(asked.request.form, to: server.token, within: options.timeLimit)
        } catch {
            switch error.code {
            case .interrupted, .timedOut: throw .final(SignInError(.answerLost, because: error.description))
            case .notReached, .notTrusted, .cancelled, .tooLarge: throw error.stepFailure
            }
        }
        // A proxy, or the server, may have lost the answer.
        if case .interrupted? = answer.temporaryFailure {
            throw .final(SignInError(.answerLost, because: "a gateway answered"))
        }
        if case .serverFault? = answer.temporaryFailure {
            throw .final(SignInError(.answerLost, because: "the server failed"))
        }
        let response = try answer.success(TokenResponse.self, invalidGrantMeans: asked.invalidGrant)
        if let problem = problem(response) { throw .unreadable(because: problem) }
        return response
    }
}
