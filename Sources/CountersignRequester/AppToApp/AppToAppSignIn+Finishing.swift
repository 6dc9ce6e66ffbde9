internal import Countersign
internal import CountersignWire

extension AppToAppSignIn {
    /// Reads the address that the system opened this app with, and finds the request that it answers.
    ///
    /// The request ends, so that the same answer has no effect a second time. Addresses that answer none of this app's
    /// requests change nothing.
    ///
    /// ```swift
    /// switch try await signIn.receive(address) {
    /// case .granted(let code): try await backend.redeem(code.handover)
    /// case .denied: screen.show("You did not allow it.")
    /// case .unasked: screen.offerToSignIn()
    /// case .otherAddress: app.open(address)
    /// case .refused, .rejected: screen.show("That did not work. Try again.")
    /// }
    /// ```
    ///
    /// - Parameter address: The whole address; any text.
    /// - Returns: The provider's answer; a code in it has been judged, and can be redeemed once.
    /// - Throws: ``SignInError`` when the store cannot be used.
    ///
    /// Standard: RFC 6749 §4.1.2, §10.12; RFC 9207 §2.4.
    public func receive(_ address: String) async throws(SignInError) -> AuthorizationAnswer<RedeemableCode> {
        // One redirect URI that cannot be used does not hide the answers to the other.
        let addresses = [redirects.native, redirects.universal].compactMap { text in
            text.flatMap { try? RedirectURI($0) }
        }
        for own in addresses {
            guard let query = own.parameters(of: address) else { continue }
            let returned = ReturnedParameters(parsing: query)
            let pending = try await SignInError.storing { try await take(returned, at: own) }
            return pending?.judge(returned, at: client.context.clock.now()) ?? .unasked
        }
        return .otherAddress
    }

    /// Takes the request that these parameters answer out of the store; `nil` when there is none.
    private func take(_ returned: ReturnedParameters, at own: RedirectURI) async throws -> PendingSignIn? {
        if let state = returned.state {
            let key = TokenStoreKey.pendingSignIn(at: client.provider.name, as: client.identity.id, state: state)
            // Found by the digest of the state; both are still compared, in constant time.
            return try await store.takePendingSignIn(for: key) { $0.state == state && $0.redirectURI == own.text }
        }
        guard client.provider.allowingAnswersWithoutState else { return nil }
        let now = client.context.clock.now()
        let waiting = try await store.pendingSignIns(at: client.provider.name, as: client.identity.id)
            .filter { $0.redirectURI == own.text && now < $0.deadline }
        // With several, the answered one cannot be determined.
        guard waiting.count == 1, let only = waiting.first else { return nil }
        return try await store.takePendingSignIn(for: only.key) { $0.redirectURI == own.text }
    }

    /// Redeems a code for tokens, verifies who signed in, and stores the tokens where ``TokenRefresher`` finds them.
    ///
    /// The code is sent once. It is sent again only where it was certainly not redeemed: no connection, or a busy
    /// server; or if the server repeats an answer that was lost.
    ///
    /// - Parameter code: A code of ``receive(_:)``.
    /// - Returns: The tokens; or the provider's refusal; or why there is neither, and whether trying again may help.
    ///   Received tokens that could not be verified or stored were revoked.
    ///
    /// Standard: RFC 6749 §4.1.3, §4.1.4; RFC 7636 §4.5; OpenID Connect Core 1.0 §3.1.3.7.
    public func redeem(_ code: RedeemableCode) async -> CodeCompletion {
        do throws(SignInError) {
            guard !code.code.revealed.isEmpty, code.client == client.identity.id,
                code.request.provider == client.provider.name
            else {
                throw SignInError(.refused, because: "the code is empty, or of another app or provider")
            }
            guard client.identity.secret != nil || !client.provider.needsBackend else {
                throw SignInError(
                    .clientRefused, because: "this provider redeems codes for a backend with a secret only")
            }
            let server = try await server()
            guard server.issuer == code.request.issuer else {
                throw SignInError(.issuerMismatch, because: "the provider goes by another name than when it was asked")
            }
            return try await redeem(code, through: conversation(with: server, proving: code.request.tokenKey))
        } catch {
            return .failed(error, error.adviceAfterCode)
        }
    }

    private func redeem(
        _ code: RedeemableCode,
        through conversation: ServerConversation
    ) async throws(SignInError) -> CodeCompletion {
        let lenient = client.provider.needsBackend
        let answer = try await client.retrier.attempt { () async throws(StepError) in
            try await conversation.redeem(code, lenient: lenient)
        }
        switch answer {
        case .failure(let error): return .refused(error)
        case .success(let response):
            return .signedIn(
                try await conversation.accept(
                    response, for: code.request.scope, identifying: code.request.scope.contains(.openid),
                    repeating: code.request.nonce, redeemedFrom: code.code, keepingTokensIn: store))
        }
    }
}

extension SignInError {
    /// Whether a new sign-in may help after a code could not be redeemed.
    fileprivate var adviceAfterCode: CodeCompletion.RetryAdvice {
        switch code {
        case .notReachable, .serverFailure, .tooFast, .notStored, .busyElsewhere, .cancelled: .signInAgain
        default: .no
        }
    }
}
