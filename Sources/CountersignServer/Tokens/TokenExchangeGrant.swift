internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// A client exchanges a token of another provider for tokens of this server.
///
/// The foreign token takes the place of the person's answer: it identifies the person, and proves that they signed in
/// to the app that it was made for.
/// Standard: RFC 8693 §2.
struct TokenExchangeGrant: Sendable {
    let core: ServerCore
    let providers: ProviderServices
    let immediate: ImmediateGrant

    /// Proves the token, and approves a sign-in in the name of its person.
    ///
    /// - Parameter address: The network address of the client.
    /// - Throws: ``SubjectTokenError``; ``OAuthError``; ``RateLimitError``; ``StoreUnavailableError``.
    func open(
        _ asked: TokenExchangeRequest,
        for client: AuthenticatedClient,
        from address: String?
    ) async throws -> ImmediateGrant.UnredeemedApproval {
        guard asked.requestedTokenType ?? .accessToken == .accessToken else {
            throw OAuthError(.invalidRequest, "only access tokens are issued", because: "another requested_token_type")
        }
        let target = client.client.audience ?? core.issuer.text
        guard asked.audience ?? target == target, asked.resource ?? target == target else {
            throw OAuthError(.invalidTarget, "the client has no tokens for that service", because: "another target")
        }
        let scope = try client.permitted(asked.scope)
        let subject = try await providers.subjectTokens.verify(asked, for: client)
        let proven = try await person(of: subject, from: address, for: client)
        let identity = subject.identity
        return try await immediate.open(
            scope,
            for: client,
            by: ImmediateGrant.Answer(
                party: .proven(proven),
                evidence: Evidence(Evidence.proofs(of: identity.authentication, at: identity.authenticatedOrUnknown)),
                note: "at \(subject.provider.id)",
                way: .tokenExchange,
                issuedType: .accessToken,
                refused: { Self.error(of: $0) }
            ),
            from: address,
            checking: { repositories, _ in
                // It may have been disconnected since it was found.
                guard
                    try providers.links.person(of: identity, in: repositories)?.person.subject == proven.person.subject
                else { throw SubjectTokenError(because: "the identity was disconnected meanwhile") }
                try subject.use.note(in: repositories, by: core.limits)
            }
        )
    }

    /// The error for a refusal. It says so where another sign-in or a smaller scope helps.
    ///
    /// Standard: OpenID Connect Unmet Authentication Requirements 1.0 §2.
    private static func error(of refusal: ImmediateGrant.Refusal) -> any Error {
        switch refusal {
        case .unredeemable(let reason): SubjectTokenError(because: reason)
        case .policy(let violation): error(of: violation)
        }
    }

    private static func error(of violation: Policy.ViolationError) -> any Error {
        switch violation {
        case .notNearby, .notByPassword, .noSecondFactor, .notUserVerified, .classNotReached, .notRecent,
            .noNumber, .notSignedByDevice, .noWay:
            OAuthError(
                .unmetAuthenticationRequirements,
                "the sign-in at the other provider is not enough for this scope",
                because: "policy: \(violation)"
            )
        case .notInGroup:
            OAuthError(
                .accessDenied, "the scope is only for people of a group", because: "policy: \(violation)")
        case .client, .subject, .notAuthenticated, .codeNotNamed:
            SubjectTokenError(because: "policy: \(violation)")
        }
    }

    private func person(
        of subject: VerifiedSubjectToken,
        from address: String?,
        for client: AuthenticatedClient
    ) async throws -> ProvenPerson {
        do {
            return try await providers.links.person(
                of: subject.identity,
                at: subject.provider,
                from: address,
                by: client.provenance == .verified ? client.client.id : nil
            )
        } catch let refusal as IdentityLinks.LinkingError {
            throw SubjectTokenError(because: "no person: \(refusal)")
        }
    }
}
