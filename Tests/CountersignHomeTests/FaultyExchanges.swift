import Countersign
import CountersignServer
import FoundationEssentialsCompat

/// Requests as a ``FaultyStore`` finds them.
struct FaultyExchanges: SignInExchangeRepository {
    let base: any SignInExchangeRepository
    let fault: StoreFault

    func find(_ requestCode: SecretDigest) throws -> SignInExchangeRecord? {
        changed(try base.find(requestCode)) { state in
            switch (state, fault) {
            case (.denied, .forgetsDenials), (.cancelled, .forgetsCancellations): .open
            case (.approved, .hidesApprovals): .open
            case (.approved(_, by: let approver, over: _), .invertsApprovals): .denied(by: approver)
            case (.redeemed(let grant, at: _), .forgetsRedemptions): .approved(another(grant), by: decider(of: grant))
            default: nil
            }
        }
    }

    func find(_ userCode: UserCodeDigest) throws -> SignInExchangeRecord? { opened(try base.find(userCode)) }
    func find(_ id: SignInRequest.ID) throws -> SignInExchangeRecord? { opened(try base.find(id)) }

    private func opened(_ found: SignInExchangeRecord?) -> SignInExchangeRecord? {
        if fault == .forgetsNumbers {
            var record = found
            record?.terms.number = nil
            return record
        }
        return changed(found) { state in
            switch (state, fault) {
            case (.denied, .forgetsDenials), (.cancelled, .forgetsCancellations), (.approved, .forgetsApprovals): .open
            default: nil
            }
        }
    }

    private func changed(
        _ found: SignInExchangeRecord?, _ change: (SignInExchange.State) -> SignInExchange.State?
    ) -> SignInExchangeRecord? {
        guard var record = found, let state = change(record.exchange.state) else { return found }
        record.exchange = SignInExchange(restoring: record.exchange.request, in: state)
        return record
    }

    private func another(_ grant: Grant) -> Grant {
        Grant(
            id: Grant.ID(rawValue: String(grant.id.rawValue.reversed())), subject: grant.subject, client: grant.client,
            scope: grant.scope, evidence: grant.evidence, approved: grant.approved)
    }

    private func decider(of grant: Grant) -> ApproverIdentity {
        ApproverIdentity(subject: grant.subject, id: ApproverID(rawValue: "a browser"))
    }

    func cancelled(for subject: Subject, at now: Date) throws -> [SignInRequest.ID] {
        try base.cancelled(for: subject, at: now)
    }

    func insert(_ exchange: SignInExchangeRecord) throws { try base.insert(exchange) }

    func update(_ exchange: SignInExchangeRecord) throws {
        if fault == .isFull, case .redeemed = exchange.exchange.state { throw FullStoreError() }
        try base.update(exchange)
    }

    func approved(by subject: Subject, at now: Date, after last: SignInRequest.ID?) throws -> [SignInExchangeRecord] {
        try base.approved(by: subject, at: now, after: last)
    }

    func waiting(for subject: Subject, at now: Date) throws -> [SignInExchangeRecord] {
        try base.waiting(for: subject, at: now)
    }

    func requests(beginningWith text: String, limit: Int) throws -> [SignInRequest.ID] {
        try base.requests(beginningWith: text, limit: limit)
    }

    func removeAll(of client: ClientID) throws { try base.removeAll(of: client) }
    func sweep(before instant: Date, limit: Int) throws -> Int { try base.sweep(before: instant, limit: limit) }

    /// A change that a store refuses.
    private struct FullStoreError: Error {}
}
