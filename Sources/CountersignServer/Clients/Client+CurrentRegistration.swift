internal import FoundationEssentialsCompat

/// The client's registration changed between its authentication and the issuance of its tokens, so the request has to
/// be decided again.
struct RegistrationChangedError: Error {
    let present: Client

    /// The number of times that one request is decided.
    static let attempts = 3

    /// The refusal of a request when the registration changed each time.
    static func tooOften(_ client: ClientID) -> OAuthError {
        OAuthError(
            .temporarilyUnavailable,
            "ask again in a moment",
            because: "the registration of \(client) changed three times meanwhile"
        )
    }
}

extension Client {
    /// The part of `scope` that the client is registered for now.
    func allowed(_ scope: Scope) -> Scope { scope.intersection(self.scope) }

    /// Whether a request has the same outcome under `other` and under this registration.
    func agrees(with other: Client) -> Bool {
        kind == other.kind && grantTypes == other.grantTypes && scope == other.scope && tokenFormat == other.tokenFormat
            && chosenIDTokenAlgorithm == other.chosenIDTokenAlgorithm
            && audience == other.audience && lifetimes == other.lifetimes && dpop == other.dpop
            && rules == other.rules && backchannel == other.backchannel && redirects == other.redirects
    }
}

extension AuthenticatedClient {
    /// The part of a granted scope that the client is registered for now.
    ///
    /// - Throws: ``OAuthError`` `invalid_grant` when nothing of it is left.
    func allowed(_ granted: Scope) throws(OAuthError) -> Scope {
        let allowed = client.allowed(granted)
        guard granted.isEmpty || !allowed.isEmpty else {
            throw OAuthError(
                .invalidGrant, "the client is not registered any more for what was granted",
                because: "\(client.id) lost \(granted)")
        }
        return allowed
    }
}
