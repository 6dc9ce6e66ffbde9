internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// Makes the tickets that people enrol devices with.
struct EnrollmentTickets: Sendable {
    let core: ServerCore

    /// The lifetime of a ticket, in seconds.
    static let lifetime: TimeInterval = 300

    /// A new ticket of a person who is signed in at a browser, as the text of a QR code.
    ///
    /// - Throws: ``SessionEndedError``; ``StoreUnavailableError``.
    func make(for visitor: SignedInVisitor, from address: String?) async throws -> CustomerSiteInvitation {
        let ticket: EnrollmentTicket = core.mint.secret()
        let now = core.clock.now()
        let record = EnrollmentTicketRecord(
            digest: ticket.digest,
            subject: visitor.person.subject,
            evidence: Evidence(visitor.session.proofs),
            session: visitor.session.id,
            made: now,
            expires: now + Self.lifetime
        )
        try await core.store.changeWays(of: visitor, at: now) { repositories in
            try repositories.enrollmentTickets.insert(record)
            try Audit(repositories).record(
                AuditEntry.Facts(at: now, .ticketMade, by: .person, subject: record.subject, address: address)
            )
        }
        return .ticket(issuer: core.issuer.text, ticket)
    }
}
