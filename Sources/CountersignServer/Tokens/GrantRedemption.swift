internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// Redeems an approved grant, for every kind of code.
struct GrantRedemption: Sendable {
    let policy: Policy
    private let store: any Store
    private let clock: TimeSource
    /// The lifetime of a browser session, in seconds.
    private let sessionLifetime: TimeInterval
    /// Tells the operator's webhook of each sign-in.
    private let newDevices: NewDeviceNotices

    init(_ core: ServerCore, _ accounts: AccountServices) {
        policy = core.policy
        store = core.store
        clock = core.clock
        sessionLifetime = accounts.sessionLifetime
        newDevices = accounts.newDevices
    }

    /// An approval that can be redeemed at the time when it was found.
    struct Approval: Sendable {
        let grant: Grant
        let person: Person
        /// The part of the granted scope that the person may have now.
        let scope: Scope
        /// The exchange, whose grant is spent already.
        let stored: SignInExchangeRecord
        /// The client's way to its sign-in; `nil` for the one of its request's method.
        let way: NewDevice.Way?
    }

    /// The approval of a grant; `nil` when policy does not let it be redeemed now.
    ///
    /// - Parameters:
    ///   - stored: The exchange, whose grant is spent already.
    ///   - way: The client's way to its sign-in; `nil`, the default, for the one of its request's method.
    func approval(
        _ grant: Grant,
        of stored: SignInExchangeRecord,
        by way: NewDevice.Way? = nil,
        in repositories: any Repositories
    ) throws -> Approval? {
        var grant = grant
        // A node of an earlier version, which knows no services, may have approved it.
        grant.ends = stored.exchange.request.bounded(grant.ends)
        guard let holder = try holder(of: grant, in: repositories) else { return nil }
        return Approval(grant: grant, person: holder.person, scope: holder.scope, stored: stored, way: way)
    }

    /// The parties to an earlier answer that may be repeated now: the sign-in lives, and the client and the person may
    /// still have the whole scope of the answer; `nil` otherwise.
    func parties(
        to found: LostAnswers.Finding, of grant: Grant.ID, for client: Client, in repositories: any Repositories
    ) throws -> LostAnswers.Parties? {
        guard client.scope.covers(found), let signIn = try repositories.signIns.find(grant),
            signIn.isLive(at: clock.now()), let holder = try holder(of: signIn.grant, in: repositories),
            holder.scope.covers(found)
        else { return nil }
        return LostAnswers.Parties(client: client, person: holder.person, signIn: signIn)
    }

    /// The person who gave a grant.
    struct Holder: Sendable {
        let person: Person
        /// The part of the granted scope that the person may have now.
        let scope: Scope
    }

    /// The person who gave a grant, if policy lets it be redeemed now, and it has not ended by itself.
    func holder(of grant: Grant, in repositories: any Repositories) throws -> Holder? {
        guard !grant.hasEnded(at: clock.now()) else { return nil }
        do {
            try policy.authorize(
                .redemption,
                client: grant.client,
                subject: grant.subject,
                evidence: grant.evidence,
                at: clock.now(),
                in: repositories
            )
        } catch is Policy.ViolationError {
            return nil
        }
        guard let scope = try Groups(repositories).remaining(of: grant.scope, for: grant.subject, under: policy),
            let person = try repositories.people.find(grant.subject)
        else { return nil }
        return Holder(person: person, scope: scope)
    }

    /// Stores the tokens and the sign-in of a client, in the change that spends the grant.
    ///
    /// - Parameters:
    ///   - approval: The approval, as it was found in this change.
    ///   - client: The registration that the tokens were prepared for.
    /// - Throws: ``RegistrationChangedError``.
    func record(
        _ prepared: PreparedTokens,
        of approval: Approval,
        to client: Client,
        _ dialect: TokenDialect = .oauth2,
        in repositories: any Repositories
    ) throws {
        try ClientRegistrations(repositories).require(client, at: prepared.made)
        let (grant, stored) = (approval.grant, approval.stored)
        guard let way = approval.way ?? stored.way(of: grant) else { throw ContradictoryRequestError() }
        let now = prepared.made
        var ends = prepared.ends
        if let domain = dialect.domain {
            if let older = try repositories.signIns.find(grant.client, domain.name) {
                try SignIns(repositories).end(
                    older, because: .asked(by: .client, detail: "replaced by a new sign-in"), at: now)
            }
            ends = max(ends, try AccessTokens(repositories).beginAnew(grant.client, for: domain, at: now))
        }
        let session = stored.session
        if try repositories.clients.find(grant.client)?.redirects.backChannelLogout != nil {
            // The client is signed in for as long as the browser, whatever becomes of its tokens. Without a browser it
            // is for as long as a browser would be.
            ends = max(ends, session?.expires ?? now + sessionLifetime)
        }
        if let end = grant.ends { ends = min(ends, end) }
        try repositories.exchanges.update(stored)
        try repositories.signIns.insert(
            SignInRecord(
                grant: grant,
                request: stored.exchange.request,
                signedIn: now,
                lastUsed: now,
                ends: ends,
                session: session,
                isFromTicket: way == .ticket
            )
        )
        try prepared.record(in: repositories)
        try newDevices.tell(of: grant, stored.exchange.request, by: way, at: now, in: repositories)
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: now,
                .signedIn,
                by: .client,
                subject: grant.subject,
                client: grant.client,
                request: stored.id
            )
        )
        try RememberedScreens(repositories).note(grant, of: stored, at: now)
    }

    /// Ends a sign-in, unless it has ended, because a single-use credential was used again.
    ///
    /// - Parameters:
    ///   - grant: The grant of the sign-in.
    ///   - act: The second use, for the audit.
    func endSignIn(of grant: Grant.ID, because act: AuditAct) async throws {
        let now = clock.now()
        try await store.change { repositories in
            guard let record = try repositories.signIns.find(grant), record.revoked == nil else { return }
            try SignIns(repositories).end(record, because: .reused(act), at: now)
        }
    }
}

extension SignInExchangeRecord {
    /// The browser session of the approval, which the sign-in belongs to; `nil` for none, and for a service, which goes on
    /// when that browser is signed out.
    var session: SessionReference? { exchange.request.service == nil ? method.binding?.session : nil }
}
