internal import FoundationEssentialsCompat

/// The possibility to undo an approval.
///
/// An approval is final after its delivery to a party that learns of no undo: a site, by its API, an event or a
/// webhook, or a client that accepted pushed tokens. An undo after the redemption revokes the tokens and notifies the
/// client.
enum UndoWindow: Sendable, Equatable {
    /// It can be undone until then.
    case open(until: Date)
    /// It was delivered.
    case delivered
    /// The minute is over.
    case over
}

extension SignInExchangeRecord {
    /// The possibility to undo `grant`, the approval of this request.
    func undoWindow(of grant: Grant, at now: Date) -> UndoWindow {
        guard terms.delivered == nil else { return .delivered }
        return UndoWindow(of: grant, at: now)
    }

    /// Whether its approval is about to be delivered to a site.
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

    /// The possibility to undo the approval of a sign-in.
    init(of record: SignInRecord, in repositories: any Repositories, at now: Date) throws {
        self.init(of: record.grant, at: now)
        guard self != .over, let stored = try repositories.exchanges.find(record.request.id) else { return }
        self = stored.undoWindow(of: record.grant, at: now)
    }
}

extension Store {
    /// Reads a request for its site, and notes the delivery of an approval, which is final first.
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
