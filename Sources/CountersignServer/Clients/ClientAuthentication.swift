internal import Hummingbird

/// Authenticates clients.
///
/// Standard: RFC 6749 §2.3.
struct ClientAuthentication: Sendable {
    let store: any Store
    let wrongProofs: WrongProofLimiter
    let clock: TimeSource
    let addresses: ClientAddressResolver
    let assertions: ClientAssertions

    /// The secret in place of that of an unknown client, so that both refusals take the same steps.
    private static let placeholder = SecretDigest(of: "no client")

    /// Authenticates a client: a confidential one by its secret, key or certificate, a public one by its identifier
    /// only.
    ///
    /// - Throws: ``OAuthError`` `invalid_client`, the same for an unknown client and a wrong secret or signature;
    ///   ``RateLimitError`` after too many wrong proofs.
    func authenticated(
        _ presented: PresentedCredentials, by request: Request, in context: ServerRequestContext
    ) async throws -> AuthenticatedClient {
        try await authenticated(
            presented, from: context.address(of: request, by: addresses), holding: context.certificate)
    }

    /// The same for a client at this address.
    ///
    /// - Parameters:
    ///   - presented: The client's identifier and credentials.
    ///   - address: The client's network address; `nil` where it cannot be seen.
    ///   - certificate: The certificate of the client's connection; none by default.
    func authenticated(
        _ presented: PresentedCredentials, from address: String?, holding certificate: PresentedCertificate? = nil
    ) async throws -> AuthenticatedClient {
        // A right secret or key cannot have been guessed, so no limit refuses it.
        do {
            let client = try await store.find { try proved(presented, holding: certificate, in: $0) }
            if case .assertion(let assertion) = client.proof { try await assertions.use(assertion) }
            return client
        } catch let error as OAuthError {
            if presented.isProof { try await wrongProofs.refuse(from: address) }
            throw error
        }
    }

    /// The authenticated client, without counting and without consuming an assertion.
    ///
    /// - Throws: ``OAuthError`` `invalid_client`.
    func proved(
        _ presented: PresentedCredentials,
        holding certificate: PresentedCertificate? = nil,
        in repositories: any Repositories
    ) throws -> AuthenticatedClient {
        let known = try repositories.clients.find(presented.client)
        guard let assertion = presented.assertion else {
            if presented.secret == nil, let certificate, case .certificate? = known?.kind {
                return try authenticate(known, by: certificate)
            }
            return try authenticate(known, by: presented.secret?.digest)
        }
        let verified = try assertions.verified(assertion, of: known.flatMap(unexpired))
        return try authenticate(known, by: verified)
    }

    /// Authenticates a client again, by the same secret or key and its registration of this moment.
    ///
    /// - Throws: ``OAuthError`` `invalid_client` when it was removed, or its secret or key was replaced.
    func current(_ client: AuthenticatedClient) async throws -> AuthenticatedClient {
        try renewed(client, as: try await store.read { try $0.clients.find(client.client.id) })
    }

    /// Authenticates a client again, by the same secret or key and the registration that a change found.
    ///
    /// - Throws: ``OAuthError`` `invalid_client` when it was removed, or its secret or key was replaced.
    func renewed(_ client: AuthenticatedClient, as registered: Client?) throws(OAuthError) -> AuthenticatedClient {
        switch client.proof {
        case .nothing: try authenticate(registered, by: nil as SecretDigest?)
        case .secret(let secret): try authenticate(registered, by: secret)
        case .assertion(let assertion): try authenticate(registered, by: assertion)
        case .certificate(let certificate): try authenticate(registered, by: certificate)
        }
    }

    /// An expired client is unknown, also before the sweep.
    private func unexpired(_ client: Client) -> Client? { client.hasExpired(at: clock.now()) ? nil : client }

    private func authenticate(
        _ known: Client?, by assertion: VerifiedClientAssertion
    ) throws(OAuthError) -> AuthenticatedClient {
        guard let client = known.flatMap(unexpired), client.id == assertion.client, case .keys(let keys) = client.kind,
            keys.keys.contains(where: { KeyThumbprint(of: $0) == assertion.thumbprint })
        else {
            throw OAuthError(.invalidClient, "client authentication failed", because: "the key is not registered")
        }
        return AuthenticatedClient(client, by: .assertion(assertion))
    }

    /// Standard: RFC 8705 §2.1, §2.2.
    private func authenticate(
        _ known: Client?, by certificate: PresentedCertificate
    ) throws(OAuthError) -> AuthenticatedClient {
        guard let client = known.flatMap(unexpired), case .certificate(let expected, signing: _) = client.kind,
            expected.isMet(by: certificate, at: clock.now())
        else {
            throw OAuthError(
                .invalidClient, "client authentication failed",
                because: "another certificate, or one that is not good (trusted: \(certificate.isTrusted))")
        }
        return AuthenticatedClient(client, by: .certificate(certificate))
    }

    private func authenticate(_ known: Client?, by presented: SecretDigest?) throws(OAuthError) -> AuthenticatedClient {
        let placeholder = Self.placeholder
        let client = known.flatMap(unexpired)
        let secret = presented ?? placeholder
        switch client?.kind {
        case .public:
            if let client, presented == nil { return AuthenticatedClient(client, by: .nothing) }
        case .confidential(let expected, let replaced):
            // Both are compared, so that the time does not reveal which one was presented.
            let isCurrent = secret == expected
            let isReplaced = secret == (replaced?.digest ?? placeholder)
            let isInTime = replaced.map { clock.now() < $0.ends } ?? false
            if let client, let presented, isCurrent || (isReplaced && isInTime) {
                return AuthenticatedClient(client, by: .secret(presented))
            }
        case .keys, .certificate, nil:
            _ = secret == placeholder
            _ = secret == placeholder
        }
        throw OAuthError(.invalidClient, "client authentication failed", because: "unknown client or wrong secret")
    }
}

/// A client with verified credentials; made by ``ClientAuthentication`` alone.
struct AuthenticatedClient: Sendable {
    let client: Client
    fileprivate let proof: Proof

    /// The proof of the client's identity.
    fileprivate enum Proof: Sendable {
        /// A public client only names itself.
        case nothing
        case secret(SecretDigest)
        indirect case assertion(VerifiedClientAssertion)
        case certificate(PresentedCertificate)
    }

    fileprivate init(_ client: Client, by proof: Proof) {
        self.client = client
        self.proof = proof
    }

    /// Verified by a secret, key or certificate, or asserted for a public client.
    var provenance: Provenance { if case .nothing = proof { .asserted } else { .verified } }

    /// Lets the client use a grant type that it is registered for.
    ///
    /// - Throws: ``OAuthError`` `unauthorized_client`.
    func require(_ grantType: GrantType) throws(OAuthError) { try client.require(grantType) }

    /// The scope that is granted for `asked`.
    ///
    /// - Throws: ``OAuthError`` `invalid_scope` when it is registered for none of it.
    func permitted(_ asked: Scope) throws(OAuthError) -> Scope { try client.permitted(asked) }
}

extension Client {
    /// Lets it use a grant type that it is registered for, whether it is authenticated or not.
    ///
    /// - Throws: ``OAuthError`` `unauthorized_client`.
    func require(_ grantType: GrantType) throws(OAuthError) {
        guard grantTypes.contains(grantType) else {
            throw OAuthError(
                .unauthorizedClient, "the client is not registered for this grant type",
                because: "\(id) may not use \(grantType)")
        }
    }
}
