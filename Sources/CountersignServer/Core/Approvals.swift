package import FoundationEssentialsCompat

/// The approvals of people: withdraws unredeemed ones, and notes their delivery.
package struct Approvals {
    private let repositories: any Repositories

    package init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// Withdraws all unredeemed approvals of a person.
    ///
    /// - Parameters:
    ///   - subject: The person.
    ///   - actor: The party that the audit names; an operator by default.
    ///   - now: The current time.
    package func cancelAll(of subject: Subject, as actor: AuditActor = .operator, at now: Date) throws {
        try cancel(by: subject, as: actor, at: now) { _ in true }
    }

    /// Withdraws the approvals of a person that are neither redeemed nor delivered, of exchanges that `include`
    /// accepts.
    func cancel(
        by subject: Subject, as actor: AuditActor = .person, at now: Date, of include: (SignInExchangeRecord) -> Bool
    ) throws {
        for var stored in try repositories.exchanges.approved(by: subject, at: now, where: include)
        where stored.terms.delivered == nil && stored.exchange.cancel(by: subject) {
            try write(withdrawn: stored, of: subject, by: actor, at: now)
        }
    }

    /// Ends all that was approved in a browser session or app that ends by itself: withdraws unredeemed approvals, and
    /// ends browser sessions and sign-ins, with all that was approved in them.
    ///
    /// - Parameters:
    ///   - approver: The browser session or app, which ends now.
    ///   - actor: The party that the audit names.
    ///   - now: The current time.
    func end(with approver: ApproverIdentity, as actor: AuditActor, at now: Date) throws {
        try cancel(by: approver.subject, as: actor, at: now) { $0.exchange.grant?.endsWith == approver.id }
        for session in try repositories.browserSessions.opened(for: approver.subject)
        where session.opening?.grant.endsWith == approver.id {
            try Sessions(repositories).end(session, as: actor, because: Self.withApprover, at: now)
        }
        try SignIns(repositories).endAll(because: .asked(by: actor, detail: Self.withApprover), at: now) {
            try $0.all(endingWith: approver.id)
        }
    }

    private static let withApprover = "with the browser or app where it was approved"

    /// Stores an exchange with a withdrawn approval, with an audit entry.
    ///
    /// - Parameters:
    ///   - stored: The exchange, whose approval was withdrawn.
    ///   - subject: The person who approved.
    ///   - actor: The party that the audit names.
    ///   - address: The network address of that party; `nil`, the default, when it is not noted.
    ///   - detail: The detail of the audit entry; `nil`, the default, for none.
    ///   - now: The current time.
    func write(
        withdrawn stored: SignInExchangeRecord,
        of subject: Subject,
        by actor: AuditActor,
        from address: String? = nil,
        because detail: String? = nil,
        at now: Date
    ) throws {
        try repositories.exchanges.update(stored)
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: now, .withdrawn, by: actor, subject: subject, client: stored.exchange.request.client.value,
                request: stored.id, address: address, detail: detail)
        )
    }

    /// Notes that the approval of a request was delivered, which makes it final.
    ///
    /// - Returns: The changed request; `nil` when there is none.
    @discardableResult
    func noteDelivery(of request: SignInRequest.ID, at now: Date) throws -> SignInExchangeRecord? {
        guard var stored = try repositories.exchanges.find(request) else { return nil }
        if stored.exchange.grant != nil, stored.terms.delivered == nil {
            stored.terms.delivered = now
            try repositories.exchanges.update(stored)
        }
        return stored
    }
}
