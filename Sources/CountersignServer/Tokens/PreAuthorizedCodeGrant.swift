internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// An app on the phone of a person redeems the ticket that the person made for it, and is signed in.
///
/// The ticket takes the place of the person's answer: they made it where they were signed in, and the app read it from
/// their screen. A second use means that it was copied, and ends the sign-in that it gave.
/// Standard: OpenID for Verifiable Credential Issuance 1.0 §6.1.
struct PreAuthorizedCodeGrant: Sendable {
    let core: ServerCore
    let redemption: GrantRedemption
    let immediate: ImmediateGrant

    private static func refused(_ reason: String) -> OAuthError {
        OAuthError(.invalidGrant, "the ticket is not good", because: reason)
    }

    private static func refused(_ refusal: ImmediateGrant.Refusal) -> OAuthError {
        switch refusal {
        case .policy(let violation): refused("policy: \(violation)")
        case .unredeemable(let reason): refused(reason)
        }
    }

    /// Uses a ticket up, and approves a sign-in in the name of its person.
    ///
    /// - Parameter address: The network address of the app.
    /// - Throws: ``OAuthError`` `invalid_grant`; ``RateLimitError``; ``StoreUnavailableError``.
    func open(
        _ presented: EnrollmentTicket,
        for client: AuthenticatedClient,
        from address: String?
    ) async throws -> ImmediateGrant.UnredeemedApproval {
        let arrived = core.clock.now()
        switch try await core.store.read({ try find(presented, for: client.client, in: $0) }) {
        case .refused(let reason):
            throw Self.refused(reason)
        case .used(let use):
            try await end(use, arrived: arrived)
            throw Self.refused("the ticket was used before")
        case .good(let ticket, let person):
            return try await open(ticket, of: TicketHolder(person), for: client, from: address)
        }
    }

    // MARK: The ticket

    private enum TicketVerdict: Sendable {
        case good(EnrollmentTicketRecord, Person)
        case used(EnrollmentTicketRecord.Use)
        case refused(String)
    }

    /// Evaluates a presented ticket right now; changes nothing.
    private func find(
        _ presented: EnrollmentTicket,
        for client: Client,
        in repositories: any Repositories
    ) throws -> TicketVerdict {
        guard let ticket = try repositories.enrollmentTickets.find(presented.digest) else {
            return .refused("an unknown ticket")
        }
        guard ticket.client == nil || ticket.client == client.id else { return .refused("another client's ticket") }
        if let use = ticket.use { return .used(use) }
        guard core.clock.now() < ticket.expires else { return .refused("the ticket has expired") }
        guard let person = try repositories.people.find(ticket.subject) else { return .refused("no such person") }
        return .good(ticket, person)
    }

    /// Tells the device that used a ticket, and ends what the ticket gave, unless both uses were under way together.
    private func end(_ use: EnrollmentTicketRecord.Use, arrived: Date) async throws {
        guard use.gaveSignIn, use.at < arrived, let grant = use.signIn else { return }
        // Its device is told while it still is one.
        try await core.store.change { [core] in
            try Announcements($0).announceReuse(by: grant, by: core.mint, at: arrived)
        }
        try await redemption.endSignIn(of: grant, because: .ticketReused)
    }

    // MARK: The approval

    /// Uses the ticket, and approves a sign-in in the name of its person, in one change.
    private func open(
        _ ticket: EnrollmentTicketRecord,
        of holder: TicketHolder,
        for client: AuthenticatedClient,
        from address: String?
    ) async throws -> ImmediateGrant.UnredeemedApproval {
        var evidence = ticket.evidence
        evidence.add(.ticketPresented)
        return try await immediate.open(
            client.client.scope,
            for: client,
            by: ImmediateGrant.Answer(
                party: .ticketHolder(holder),
                evidence: evidence,
                note: "by a ticket",
                way: .ticket,
                refused: { Self.refused($0) },
                also: { code, repositories, now in
                    let grant = try repositories.exchanges.find(code)?.exchange.grant
                    var used = ticket
                    used.use = EnrollmentTicketRecord.Use(at: now, signIn: grant?.id, gaveSignIn: true)
                    try repositories.enrollmentTickets.update(used)
                }
            ),
            from: address,
            checking: { repositories, now in
                // It may have been used since it was found.
                guard let again = try repositories.enrollmentTickets.find(ticket.digest), again.use == nil,
                    now < again.expires
                else { throw Self.refused("the ticket was used meanwhile") }
            }
        )
    }
}

/// The person whose ticket an app presents; made by ``PreAuthorizedCodeGrant`` alone, from a ticket that was looked up.
struct TicketHolder: Sendable {
    let person: Person

    fileprivate init(_ person: Person) { self.person = person }
}

extension DecidingParty {
    /// A person who made a ticket beforehand, which the app that asks presents.
    static func ticketHolder(_ holder: TicketHolder) -> DecidingParty {
        DecidingParty(approver: ApproverIdentity(subject: holder.person.subject, id: ApproverID("enrollment-ticket")))
    }
}
