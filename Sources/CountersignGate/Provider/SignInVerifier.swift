internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// Verifies the ID token of a sign-in, by ``ParsedIDToken``.
///
/// Standard: OpenID Connect Core 1.0 §3.1.3.7.
struct SignInVerifier: Sendable {
    private let provider: GateProvider
    private let client: ClientID
    private let keys: JWKSFetcher<GateProviderError>

    init(_ provider: GateProvider, for client: ClientID) {
        self.provider = provider
        self.client = client
        keys = JWKSFetcher(before: .away("the keys were not fetched yet")) { () async throws(GateProviderError) in
            try await provider.keySet()
        }
    }

    /// The claims of the ID token in an answer, after its verification.
    ///
    /// - Parameters:
    ///   - nonce: The nonce of the request; `nil` for the answer to a refresh.
    func claims(
        in tokens: TokenResponse,
        repeating nonce: String?,
        at now: Date
    ) async throws(GateProviderError) -> IDTokenClaims {
        guard let token = tokens.idToken else { throw .refused("the answer has no ID token") }
        var demands = ParsedIDToken.Demands(
            issuer: try await provider.addresses().issuer, clients: [client], nonce: nonce)
        demands.accessToken = tokens.accessToken
        do {
            let read = try ParsedIDToken(token)
            let key = try await keys.key(for: read.algorithm, named: read.keyID, at: now)
            return try read.verified(by: key, meeting: demands, at: now).claims
        } catch let error as IDTokenError {
            throw .refused("ID token: \(error.reason)")
        } catch let error as GateProviderError {
            throw error
        } catch {
            throw .refused("ID token: \(error)")
        }
    }
}
