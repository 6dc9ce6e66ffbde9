internal import Countersign
internal import CountersignWire
internal import Hummingbird

/// Authenticates clients.
///
/// Standard: RFC 6749 §2.3.
struct ClientAuthentication: Sendable {
    let store: any Store
    let wrongSecrets: FailureLimiter
    let clock: TimeSource
    let addresses: ClientAddressResolver

    /// Used instead of the secret of a client that does not exist, so that both refusals take the same steps.
    private static let placeholder = SecretDigest(of: "no client")

    /// Authenticates the client that `presented` names: a confidential one by its secret, a public one by its name
    /// only.
    ///
    /// - Throws: ``OAuthError`` `invalid_client`, the same for an unknown client and a wrong secret; ``LimitReached``
    ///   after too many wrong ones.
    func authenticated(
        _ presented: PresentedCredentials,
        by request: Request,
        in context: ServerRequestContext
    ) async throws -> AuthenticatedClient {
        try await authenticated(presented, from: context.address(of: request, by: addresses))
    }

    /// The same for a client at this address.
    func authenticated(_ presented: PresentedCredentials, from address: String?) async throws -> AuthenticatedClient {
        if presented.secret != nil { try wrongSecrets.admit(rateKeys(presented, address)) }
        do {
            return try await store.read { try proved(presented, in: $0) }
        } catch let error as OAuthError {
            if presented.secret != nil { try await wrongSecrets.count(rateKeys(presented, address)) }
            throw error
        }
    }

    /// The client that `presented` names, if its secret is right; counts nothing.
    ///
    /// - Throws: ``OAuthError`` `invalid_client`.
    func proved(_ presented: PresentedCredentials, in repositories: any Repositories) throws -> AuthenticatedClient {
        try authenticate(try repositories.clients.find(presented.client), by: presented.secret?.digest)
    }

    /// Whether too many wrong secrets came before these credentials.
    func isBlocked(_ presented: PresentedCredentials, from address: String?) -> Bool {
        presented.secret != nil && wrongSecrets.isBlocked(rateKeys(presented, address))
    }

    /// Authenticates a client again, by the same secret and its registration of this moment.
    ///
    /// - Throws: ``OAuthError`` `invalid_client` when it was removed, or its secret was replaced.
    func current(_ client: AuthenticatedClient) async throws -> AuthenticatedClient {
        try renewed(client, as: try await store.read { try $0.clients.find(client.client.id) })
    }

    /// Authenticates a client again, by the same secret and the registration that a change found.
    ///
    /// - Throws: ``OAuthError`` `invalid_client` when it was removed, or its secret was replaced.
    func renewed(_ client: AuthenticatedClient, as registered: Client?) throws(OAuthError) -> AuthenticatedClient {
        try authenticate(registered, by: client.secret)
    }

    /// What is counted when these credentials are wrong.
    ///
    /// A client that does not exist counts like any other, so that the limits do not tell which exist.
    private func rateKeys(_ presented: PresentedCredentials, _ address: String?) -> [RateLimitKey] {
        [
            .address(.clientSecretPerAddress, address),
            .name(presented.client.rawValue, at: address, .clientSecretPerClientAndAddress),
        ]
    }

    private func authenticate(
        _ known: Client?,
        by presented: SecretDigest?
    ) throws(OAuthError) -> AuthenticatedClient {
        let placeholder = Self.placeholder
        // A device that has expired and is not swept yet is not known any more.
        let client = known.flatMap { $0.hasExpired(at: clock.now()) ? nil : $0 }
        let secret = presented ?? placeholder
        switch client?.kind {
        case .public:
            if let client, presented == nil { return AuthenticatedClient(client, by: nil) }
        case .confidential(let expected, let replaced):
            // Both are compared, so that the time that it takes does not tell which one was meant.
            let isCurrent = secret == expected
            let isReplaced = secret == (replaced?.digest ?? placeholder)
            let isInTime = replaced.map { clock.now() < $0.ends } ?? false
            if let client, isCurrent || (isReplaced && isInTime) { return AuthenticatedClient(client, by: presented) }
        case nil:
            _ = secret == placeholder
            _ = secret == placeholder
        }
        throw OAuthError(.invalidClient, "client authentication failed", because: "unknown client or wrong secret")
    }
}

/// A client whose credentials were checked; made by ``ClientAuthentication`` alone.
struct AuthenticatedClient: Sendable {
    let client: Client
    /// The digest of the secret that proved it; `nil` for a public client.
    fileprivate let secret: SecretDigest?

    fileprivate init(_ client: Client, by secret: SecretDigest?) {
        self.client = client
        self.secret = secret
    }

    /// Verified by its secret, or asserted where it has none.
    var provenance: Provenance { secret == nil ? .asserted : .verified }

    /// Lets the client use a grant type that it is registered for.
    ///
    /// - Throws: ``OAuthError`` `unauthorized_client`.
    func require(_ grantType: GrantType) throws(OAuthError) {
        guard client.grantTypes.contains(grantType) else {
            throw OAuthError(
                .unauthorizedClient,
                "the client is not registered for this grant type",
                because: "\(client.id) may not use \(grantType)"
            )
        }
    }

    /// The scope that it gets when it asks for `asked`: all it may have when it asks for nothing in particular.
    ///
    /// - Throws: ``OAuthError`` `invalid_scope` for more than it is registered for.
    func permitted(_ asked: Scope) throws(OAuthError) -> Scope {
        guard !asked.isEmpty else { return client.scope }
        guard asked.isSubset(of: client.scope) else {
            throw OAuthError(
                .invalidScope,
                "the client is not registered for this scope",
                because: "\(client.id) asked for \(asked)"
            )
        }
        return asked
    }
}
