internal import Countersign
internal import CountersignWire

/// The client's registration changed between its authentication and the change that issues its tokens: the request is
/// decided again, by the registration of that moment.
struct RegistrationChanged: Error {
    let present: Client
}

extension Client {
    /// The part of `scope` that the client is registered for now.
    func allowed(_ scope: Scope) -> Scope {
        scope.words.allSatisfy(self.scope.contains) ? scope : Scope(scope.words.filter { self.scope.contains($0) })
    }

    /// Whether tokens for this registration are the same as tokens for `other`.
    fileprivate func grantsAsMuch(as other: Client) -> Bool {
        grantTypes == other.grantTypes && scope == other.scope && tokenFormat == other.tokenFormat
            && audience == other.audience && lifetimes == other.lifetimes
    }
}

extension AuthenticatedClient {
    /// What a person granted, as far as the client is registered for it now.
    ///
    /// - Throws: ``OAuthError`` `invalid_grant` when nothing of it is left.
    func allowed(_ granted: Scope) throws(OAuthError) -> Scope {
        let allowed = client.allowed(granted)
        guard granted.isEmpty || !allowed.isEmpty else {
            throw OAuthError(
                .invalidGrant,
                "the client is not registered any more for what was granted",
                because: "\(client.id) lost \(granted)"
            )
        }
        return allowed
    }
}

extension Repositories {
    /// Makes sure, inside the change that issues tokens, that they are those of the client's present registration.
    ///
    /// A client that was removed is left to policy.
    /// - Throws: ``RegistrationChanged``.
    func requireRegistration(_ client: Client) throws {
        guard let present = try clients.find(client.id), !present.grantsAsMuch(as: client) else { return }
        throw RegistrationChanged(present: present)
    }

    /// What an access token allows now: never more than its client is registered for.
    func scope(of token: AccessTokenRecord) throws -> Scope {
        guard !token.scope.isEmpty else { return token.scope }
        return try clients.find(token.client)?.allowed(token.scope) ?? .none
    }
}
