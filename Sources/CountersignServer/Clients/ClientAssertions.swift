internal import FoundationEssentialsCompat

/// Verifies the assertions that authenticate clients, and enforces their single use across all nodes.
///
/// Standard: RFC 7523 §3; OpenID Connect Core 1.0 §9.
struct ClientAssertions: Sendable {
    private let issuer: Issuer
    /// The base addresses of the endpoints, the issuer among them.
    private let bases: [Issuer]
    private let clock: TimeSource
    private let store: any Store

    /// The keys in place of those of a client without any, so that both refusals take the same steps: the example of
    /// RFC 7517, Appendix A.1.
    private static let placeholder = try? JSONDecoder().decode(
        JSONWebKeySet.self,
        from: Data(
            """
            {"keys":[{"kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
            "y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}]}
            """.utf8
        )
    )

    init(issuer: Issuer, bases: [Issuer], store: any Store, clock: TimeSource) {
        self.issuer = issuer
        self.bases = bases
        self.store = store
        self.clock = clock
    }

    /// The verified assertion, signed by a key of `client`; it is not consumed.
    ///
    /// - Throws: ``OAuthError`` `invalid_client`, also for a client that is unknown or has no keys.
    func verified(
        _ assertion: UnverifiedClientAssertion, of client: Client?
    ) throws(OAuthError) -> VerifiedClientAssertion {
        let registered: JSONWebKeySet? = if case .keys(let keys)? = client?.kind { keys } else { nil }
        let keys = registered ?? Self.placeholder ?? JSONWebKeySet(keys: [])
        // An assertion signed by the placeholder key belongs to no client.
        let rules = client?.rules
        let verified = try assertion.verified(
            by: keys,
            for: [issuer.text] + bases.flatMap { (rules?.assertionEndpoints ?? []).map($0.appending) },
            acceptingLists: rules?.requiresSingleAudience != true,
            signedBy: rules?.algorithms ?? .all,
            at: clock.now()
        )
        guard registered != nil, verified.client == client?.id else { throw Self.refusal("the client has no keys") }
        return verified
    }

    /// Consumes an assertion.
    ///
    /// - Throws: ``OAuthError`` `invalid_client` when it was used before; ``StoreUnavailableError``.
    func use(_ assertion: VerifiedClientAssertion) async throws {
        let (use, now) = (SingleUse(.usesPerAssertion, of: assertion.digest, until: assertion.ends), clock.now())
        guard try await use.isFirst(in: store, at: now) else {
            throw Self.refusal("the assertion was used before")
        }
    }

    private static func refusal(_ reason: String) -> OAuthError {
        OAuthError(.invalidClient, "client authentication failed", because: reason)
    }
}
