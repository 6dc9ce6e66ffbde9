internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

extension ServerConversation {
    /// Verifies the ID token of an answer with the server's keys, for every way to sign in.
    ///
    /// - Parameters:
    ///   - nonce: The nonce that the token must repeat; `nil` when the request had none.
    ///   - code: The code that was redeemed; `nil` when there was none.
    func verifiedIdentity(
        in response: TokenResponse,
        repeating nonce: PendingSignIn.Nonce? = nil,
        for code: AuthorizationCode? = nil
    ) async throws(SignInError) -> VerifiedIdentity {
        guard let token = response.idToken else {
            throw SignInError(.identityMissing, because: "openid was asked, and no ID token came")
        }
        let keys = try await client.retrier.attempt { () async throws(StepError) in try await keySet() }
        var demands = ParsedIDToken.Demands(
            issuer: server.issuer, clients: [client.identity.id], nonce: nonce?.revealed)
        demands.accessToken = response.accessToken
        demands.code = code
        return try await IDTokenVerifier(demands: demands).verify(token, by: client.context.clock) { read in
            keys.key(for: read.algorithm, named: read.keyID)
        }
    }

    /// Verifies who signed in, and stores the tokens; revokes them if either fails.
    ///
    /// - Parameters:
    ///   - identifies: Whether the answer has to identify the person.
    ///   - nonce: The nonce that the ID token must repeat; `nil` when the request had none.
    ///   - code: The code that was redeemed; `nil` when there was none.
    func accept(
        _ response: TokenResponse,
        for scope: Scope,
        identifying identifies: Bool,
        repeating nonce: PendingSignIn.Nonce? = nil,
        redeemedFrom code: AuthorizationCode? = nil,
        keepingTokensIn store: (any TokenStore)?
    ) async throws(SignInError) -> CompletedSignIn {
        try await givingBack(response) { () async throws(SignInError) in
            let identity = identifies ? try await verifiedIdentity(in: response, repeating: nonce, for: code) : nil
            let signedIn = try signedIn(by: response, for: scope, as: identity)
            try await store?.keep(signedIn, for: client.key)
            return signedIn
        }
    }

    /// The sign-in that a first answer to a request for `scope` gives.
    ///
    /// - Parameter arrived: The arrival of the answer, from which its times count; `nil`, the default, for now.
    /// - Throws: ``SignInError`` `bad_answer` for tokens of a service without an end.
    func signedIn(
        by response: TokenResponse,
        for scope: Scope,
        as identity: VerifiedIdentity?,
        arrived: Date? = nil
    ) throws(SignInError) -> CompletedSignIn {
        let signedIn = CompletedSignIn(
            response, asked: scope, identity: identity, proving: proofs?.key,
            at: arrived ?? client.context.clock.now())
        try requireEnd(of: signedIn)
        return signedIn
    }
}
