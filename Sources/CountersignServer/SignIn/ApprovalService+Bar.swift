internal import Countersign
internal import FoundationEssentialsCompat

/// Internal error: a request that was read a moment ago cannot be as it is now.
struct ContradictoryRequestError: Error {}

extension ApprovalService {
    /// Denies an approved request for good, in the change that would have redeemed its grant, because the person may
    /// not sign in then. Whatever becomes of the person, the request stays denied.
    ///
    /// Only a client that polls for the grant asks for it, and learns of it by the answer, so no other party is told.
    ///
    /// - Parameters:
    ///   - approved: The request, as it was read in that change.
    ///   - now: The current time.
    ///   - repositories: The change.
    /// - Returns: The reason, as the audit and the log name it.
    /// - Throws: ``ContradictoryRequestError`` for a request that is not approved, or whose grant is spent.
    static func bar(
        _ approved: SignInExchangeRecord,
        at now: Date,
        in repositories: any Repositories
    ) throws -> String {
        var stored = approved
        guard let subject = stored.exchange.grant?.subject, stored.exchange.cancel(by: subject) else {
            throw ContradictoryRequestError()
        }
        let reason = "refused by policy, or there is no such person"
        try repositories.exchanges.update(stored)
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: now,
                .denied,
                by: .server,
                subject: subject,
                client: stored.exchange.request.client.value,
                request: stored.id,
                detail: reason
            )
        )
        return reason
    }
}
