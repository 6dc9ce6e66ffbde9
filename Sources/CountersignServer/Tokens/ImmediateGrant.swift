internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// Signs a client in by what its token request brings in place of a person's answer.
///
/// One change approves a sign-in under a code that never leaves the server, and another one redeems it.
struct ImmediateGrant: Sendable {
    let core: ServerCore
    let signIns: SignInServices
    let tokens: TokenServices
    let redemption: GrantRedemption

    /// The time to redeem an approval, in seconds. The same request does it.
    private static let lifetime: TimeInterval = 60

    /// The parts of a request that take the place of a person's answer.
    struct Answer: Sendable {
        let party: DecidingParty
        let evidence: Evidence
        /// The note about it for the audit.
        let note: String
        /// The client's way to its sign-in.
        let way: NewDevice.Way
        /// The kind of the access token, for an answer that says it; `nil` by default.
        var issuedType: TokenTypeIdentifier?
        /// The error for the client.
        let refused: @Sendable (Refusal) -> any Error
        /// Runs in the change that approves, after the approval was recorded, with the digest of its code; nothing by
        /// default.
        var also: @Sendable (SecretDigest, any Repositories, Date) throws -> Void = { _, _, _ in }
    }

    /// The reason that a client is not signed in.
    enum Refusal: Sendable {
        /// Policy refuses.
        case policy(Policy.ViolationError)
        /// The approval cannot be redeemed, with the reason for the log.
        case unredeemable(String)
    }

    /// An approval that is not redeemed yet.
    struct UnredeemedApproval: Sendable {
        /// The digest of its code, which never leaves the server.
        fileprivate let code: SecretDigest
        fileprivate let answer: Answer
    }

    /// Approves a sign-in.
    ///
    /// - Parameters:
    ///   - scope: The scope that the client gets.
    ///   - answer: The answer that its request brings.
    ///   - address: The network address of the client.
    ///   - check: Runs first in the change that approves.
    /// - Throws: ``RateLimitError``; ``StoreUnavailableError``; the error of ``Answer/refused``; what `check` and
    ///   ``Answer/also`` throw, and then nothing was changed.
    func open(
        _ scope: Scope,
        for client: AuthenticatedClient,
        by answer: Answer,
        from address: String?,
        checking check: @escaping @Sendable (any Repositories, Date) throws -> Void
    ) async throws -> UnredeemedApproval {
        let code = core.mint.secret(DeviceCode.self).digest
        var start = SignInStartRequest(
            client: client.client,
            provenance: client.provenance,
            scope: scope,
            address: address,
            software: nil
        )
        start.lifetime = Self.lifetime
        let outcome = try await signIns.starts.start(
            start,
            deciding: SignInStartService.ImmediateDecision(
                answer: .approve,
                party: answer.party,
                evidence: answer.evidence,
                code: code,
                method: .immediateGrant,
                note: answer.note
            ),
            checking: check,
            also: { try answer.also(code, $0, $1) }
        )
        switch outcome {
        case .decided: return UnredeemedApproval(code: code, answer: answer)
        case .refused(let policy): throw answer.refused(.policy(policy))
        }
    }

    /// The token answer for an approval, as JSON.
    ///
    /// - Throws: ``OAuthError`` `invalid_grant` for a client that is not registered for any of it;
    ///   ``RegistrationChangedError``; ``StoreUnavailableError``; the error of ``Answer/refused``.
    @inline(never)  // Its frame is large, and must not become part of a waiting task's frame.
    func redeem(
        _ opened: UnredeemedApproval,
        for client: AuthenticatedClient,
        provenBy key: SenderKey?
    ) async throws -> [UInt8] {
        let approval = try await core.store.read { try find(opened, in: $0) }
        let scope = try client.allowed(approval.scope)
        let prepared = try await tokens.issuer.prepare(
            TokenIssuer.Order(
                entitlement: .person(approval.person, approval.grant, scope: scope),
                client: client.client,
                key: key,
                issuedType: opened.answer.issuedType
            )
        )
        try await core.store.change { repositories in
            let again = try find(opened, in: repositories)
            try redemption.record(prepared, of: again, to: client.client, in: repositories)
        }
        return prepared.answer
    }

    private func find(
        _ opened: UnredeemedApproval,
        in repositories: any Repositories
    ) throws -> GrantRedemption.Approval {
        let answer = opened.answer
        guard var stored = try repositories.exchanges.find(opened.code),
            case .granted(let grant) = stored.exchange.redeem(at: core.clock.now()),
            let approval = try redemption.approval(grant, of: stored, by: answer.way, in: repositories)
        else { throw answer.refused(.unredeemable("refused by policy, or taken back meanwhile")) }
        return approval
    }
}
