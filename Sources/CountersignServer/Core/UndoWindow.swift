internal import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Whether a person can take an approval back.
///
/// An approval is final as soon as it was delivered to a party that is not told of the undoing: a site that read
/// it, by its API, an event or a webhook, or a client that accepted pushed tokens. Where tokens were redeemed, the
/// undoing reaches that client, because they are revoked, and it is told of the end of the session if it wants to be.
enum UndoWindow: Sendable, Equatable {
    /// It can be taken back until then.
    case open(until: Date)
    /// The asking party has it.
    case delivered
    /// The minute is over.
    case over
}

extension SignInExchangeRecord {
    /// Whether `grant`, the approval of this request, can be taken back.
    func undoWindow(of grant: Grant, at now: Date) -> UndoWindow {
        guard terms.delivered == nil else { return .delivered }
        return UndoWindow(of: grant, at: now)
    }

    /// Whether its site is about to learn of an approval.
    fileprivate var isDeliveryDue: Bool {
        guard case .customerSite = method else { return false }
        return exchange.grant != nil && terms.delivered == nil
    }
}

extension UndoWindow {
    fileprivate init(of grant: Grant, at now: Date) {
        guard SignInExchange.canUndo(grant, at: now) else {
            self = .over
            return
        }
        self = .open(until: grant.approved + SignInExchange.undoLifetime)
    }

    /// Whether the approval of a sign-in can be taken back.
    init(of record: SignInRecord, in repositories: any Repositories, at now: Date) throws {
        self.init(of: record.grant, at: now)
        guard self != .over, let stored = try repositories.exchanges.find(record.request.id) else { return }
        self = stored.undoWindow(of: record.grant, at: now)
    }
}

extension Store {
    /// Reads a request for the site that asked, whichever way the site learns of a decision. An approval
    /// is final before the site learns of it.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - now: The current time.
    /// - Returns: The request; `nil` when there is none.
    /// - Throws: ``StoreUnavailableError``.
    func delivering(_ request: SignInRequest.ID, at now: Date) async throws -> SignInExchangeRecord? {
        let stored = try await find { try $0.exchanges.find(request) }
        guard let stored, stored.isDeliveryDue else { return stored }
        return try await change { try Approvals($0).noteDelivery(of: request, at: now) }
    }
}
