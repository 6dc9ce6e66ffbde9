internal import Countersign
internal import CountersignWire

extension ServerConversation {
    /// Verifies the ID token of an answer with the server's keys, for every way to sign in.
    ///
    /// - Parameters:
    ///   - nonce: What the token must repeat; `nil` when the request had none.
    ///   - retrier: Repeats the look at the keys.
    ///   - clock: Says when it is verified.
    func verifiedIdentity(
        in response: TokenResponse,
        repeating nonce: PendingSignIn.Nonce? = nil,
        retrying retrier: Retrier,
        by clock: TimeSource
    ) async throws(SignInError) -> VerifiedIdentity {
        guard let token = response.idToken else {
            throw SignInError(.identityMissing, because: "openid was asked, and no ID token came")
        }
        let keys = try await retrier.attempt { () async throws(StepFailure) in try await keySet() }
        var verifier = IDTokenVerifier(issuer: server.issuer, client: client.id, keys: keys, nonce: nonce)
        verifier.accessToken = response.accessToken
        return try verifier.verify(token, at: clock.now())
    }
}
