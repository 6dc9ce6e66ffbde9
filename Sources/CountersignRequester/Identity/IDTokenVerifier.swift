internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// Verifies ID tokens, by ``ParsedIDToken``.
///
/// Standard: OpenID Connect Core 1.0 §3.1.3.7.
struct IDTokenVerifier: Sendable {
    /// The demands that a token has to meet.
    let demands: ParsedIDToken.Demands

    /// Verifies `token` as of now: form, type, algorithm, key, signature and claims.
    ///
    /// - Parameters:
    ///   - key: Finds the issuer's key that the token names; `nil` when the issuer has none like it.
    ///   - clock: Decides when it is verified.
    /// - Throws: ``SignInError`` `identity_refused` with the first thing that is wrong; whatever finding the key
    ///   throws.
    func verify(
        _ token: UnverifiedIDToken,
        by clock: TimeSource,
        finding key: (ParsedIDToken) async throws(SignInError) -> VerificationKey?
    ) async throws(SignInError) -> VerifiedIdentity {
        let read = try Self.unrefused { () throws(IDTokenError) in try ParsedIDToken(token) }
        let found = try await key(read)
        return try Self.unrefused { () throws(IDTokenError) in
            VerifiedIdentity(verified: try read.verified(by: found, meeting: demands, at: clock.now()).claims)
        }
    }

    private static func unrefused<Value>(_ read: () throws(IDTokenError) -> Value) throws(SignInError) -> Value {
        do throws(IDTokenError) {
            return try read()
        } catch {
            throw SignInError(.identityRefused, because: "ID token: \(error.reason)")
        }
    }
}
