internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Redeems an approved grant, for every kind of code.
struct GrantRedemption: Sendable {
    let policy: Policy
    private let store: any Store
    private let clock: TimeSource
    /// The lifetime of a browser session, in seconds.
    private let sessionLifetime: TimeInterval
    /// Lets the operator's webhook know of each sign-in.
    private let newDevices: NewDeviceNotices

    init(_ server: ServerCore, _ accounts: AccountServices) {
        policy = server.policy
        store = server.store
        clock = server.clock
        sessionLifetime = accounts.sessionLifetime
        newDevices = accounts.newDevices
    }

    /// An approval that can be redeemed at the time when it was found.
    struct Approval: Sendable {
        let grant: Grant
        let person: Person
        /// The exchange, whose grant is spent already.
        let stored: SignInExchangeRecord
        /// The client's way to its sign-in; `nil`, the default, for the one of its request's method.
        var way: NewDevice.Way?
    }

    /// The person who gave a grant, if policy lets it be redeemed now.
    func person(of grant: Grant, in repositories: any Repositories) throws -> Person? {
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
        return try repositories.people.find(grant.subject)
    }

    // MARK: Redeeming

    /// Redeems an approval: finds it, prepares the tokens, and stores them in a change that finds it again.
    ///
    /// - Parameters:
    ///   - client: The client that gets the tokens, by the registration that allows it to.
    ///   - find: Finds the approval, and changes nothing; its errors are rethrown.
    ///   - prepare: Makes the tokens.
    ///   - also: Runs in the same change after the tokens were stored; nothing by default.
    /// - Returns: The token answer, as JSON.
    /// - Throws: ``RegistrationChangedError``; ``StoreUnavailableError``; what the closures throw, and then nothing was changed.
    @inline(never)  // Its frame is large, and must not become part of a waiting task's frame.
    func redeem(
        for client: Client,
        finding find: @escaping @Sendable (any Repositories) throws -> Approval,
        preparing prepare: (Approval) async throws -> PreparedTokens,
        also: @escaping @Sendable (Approval, PreparedTokens, any Repositories) throws -> Void = { _, _, _ in }
    ) async throws -> [UInt8] {
        let approval = try await store.read { try find($0) }
        let prepared = try await prepare(approval)
        try await store.change { repositories in
            let again = try find(repositories)
            try ClientRegistrations(repositories).require(client, at: prepared.made)
            try record(prepared, of: approval.grant, for: again.stored, by: again.way, .oauth2, in: repositories)
            try also(again, prepared, repositories)
        }
        return prepared.answer
    }

    /// Stores the tokens and the sign-in of the client, in the change that spends the grant.
    ///
    /// - Parameter way: The client's way to its sign-in; `nil`, the default, for the one of its request's method.
    func record(
        _ prepared: PreparedTokens,
        of grant: Grant,
        for stored: SignInExchangeRecord,
        by way: NewDevice.Way? = nil,
        _ dialect: TokenDialect,
        in repositories: any Repositories
    ) throws {
        guard let way = way ?? stored.way(of: grant) else { throw ContradictoryRequestError() }
        let now = prepared.made
        var ends = prepared.ends
        if let domain = dialect.domain {
            if let older = try repositories.signIns.find(grant.client, domain.name) {
                try SignIns(repositories).end(
                    older, because: .asked(by: .client, detail: "replaced by a new sign-in"), at: now)
            }
            ends = max(ends, try AccessTokens(repositories).beginAnew(grant.client, for: domain, at: now))
        }
        let session = stored.method.binding?.session
        if try repositories.clients.find(grant.client)?.redirects.backChannelLogout != nil {
            // The client is signed in for as long as the browser, whatever becomes of its tokens. Without a browser it
            // is for as long as a browser would be.
            ends = max(ends, session?.expires ?? now + sessionLifetime)
        }
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
        try newDevices.tell(of: grant, by: way, at: now, in: repositories)
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
    }

    // MARK: What was used again

    /// Ends a sign-in because something that is good once was used again. One that has ended is left alone.
    ///
    /// - Parameters:
    ///   - grant: The grant of the sign-in.
    ///   - act: The act of using it again, for the audit.
    func endSignIn(of grant: Grant.ID, because act: AuditAct) async throws {
        let now = clock.now()
        try await store.change { repositories in
            guard let record = try repositories.signIns.find(grant), record.revoked == nil else { return }
            try SignIns(repositories).end(record, because: .reused(act), at: now)
        }
    }
}
