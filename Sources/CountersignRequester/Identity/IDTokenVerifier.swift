internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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
        let read: ParsedIDToken
        do throws(IDTokenError) {
            read = try ParsedIDToken(token)
        } catch {
            throw SignInError(refusing: error)
        }
        let found = try await key(read)
        do throws(IDTokenError) {
            return VerifiedIdentity(verified: try read.verified(by: found, meeting: demands, at: clock.now()).claims)
        } catch {
            throw SignInError(refusing: error)
        }
    }
}

extension SignInError {
    fileprivate init(refusing refusal: IDTokenError) {
        self.init(.identityRefused, because: "ID token: \(refusal.reason)")
    }
}
