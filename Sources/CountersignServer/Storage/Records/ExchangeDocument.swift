package import Countersign
internal import Foundation

/// An exchange as one document, for stores to keep beside the columns that they search.
///
/// The form is the server's own. It may gain members; a member that is written keeps its meaning for ever, because
/// databases outlive versions.
package struct ExchangeDocument: Codable {
    private let request: SignInRequest
    private var phase: Phase
    private var taking: Taking?
    private var approver: Approver?
    private var grant: Grant?
    private var instant: Date?

    /// Where the exchange stands, also a column of its own.
    package enum Phase: String, Codable, Sendable {
        case open, taken, approved, denied, redeemed
    }

    package init(_ exchange: SignInExchange) {
        request = exchange.request
        phase = exchange.phase
        switch exchange.state {
        case .open: break
        case .taken(let taking):
            self.taking = taking
        case .approved(let grant, by: let approver):
            self.grant = grant
            self.approver = approver
        case .denied(by: let approver):
            self.approver = approver
        case .redeemed(let grant, at: let redeemed):
            self.grant = grant
            instant = redeemed
        }
    }

    /// The exchange; `nil` when the document contradicts itself.
    package var exchange: SignInExchange? {
        let state: SignInExchange.State
        switch phase {
        case .open:
            state = .open
        case .taken:
            guard let taking else { return nil }
            state = .taken(taking)
        case .approved:
            guard let approver, let grant else { return nil }
            state = .approved(grant, by: approver)
        case .denied:
            guard let approver else { return nil }
            state = .denied(by: approver)
        case .redeemed:
            guard let grant, let instant else { return nil }
            state = .redeemed(grant, at: instant)
        }
        return SignInExchange(restoring: request, in: state)
    }
}

extension SignInExchange {
    /// The name of the state, as stores keep it in a column.
    package var phase: ExchangeDocument.Phase {
        switch state {
        case .open: .open
        case .taken: .taken
        case .approved: .approved
        case .denied: .denied
        case .redeemed: .redeemed
        }
    }
}
