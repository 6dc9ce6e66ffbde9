package import FoundationEssentialsCompat

/// The state of an exchange as columns of its row.
///
/// Columns instead of JSON, because screens poll constantly, and parsing JSON takes several times as long as the
/// look-up.
package struct SignInExchangeColumns: Sendable, Equatable {
    /// The name of the state.
    package enum Phase: String, Sendable {
        case open, taken, approved, denied, redeemed, cancelled
    }

    package let phase: Phase
    /// The approver who took, approved or denied the request, or held it when it was cancelled.
    package let approver: ApproverIdentity?
    /// The approved grant.
    package let grant: Grant?
    /// The time of the request's taking or redemption.
    package let instant: Date?
    /// The evidence of the person who took the request.
    package let evidence: Evidence?
    /// The nearby link that carried the approval.
    package let link: NearbyLinkID?

    /// Creates the columns from stored values.
    package init(
        phase: Phase,
        approver: ApproverIdentity? = nil,
        grant: Grant? = nil,
        instant: Date? = nil,
        evidence: Evidence? = nil,
        link: NearbyLinkID? = nil
    ) {
        self.phase = phase
        self.approver = approver
        self.grant = grant
        self.instant = instant
        self.evidence = evidence
        self.link = link
    }

    /// The fields of an exchange.
    package init(_ exchange: SignInExchange) {
        switch exchange.state {
        case .open:
            self.init(phase: .open)
        case .taken(let taking):
            self.init(phase: .taken, approver: taking.approver, instant: taking.taken, evidence: taking.evidence)
        case .approved(let grant, by: let approver, over: let link):
            self.init(phase: .approved, approver: approver, grant: grant, link: link)
        case .denied(by: let approver):
            self.init(phase: .denied, approver: approver)
        case .redeemed(let grant, at: let redeemed):
            self.init(phase: .redeemed, grant: grant, instant: redeemed)
        case .cancelled(let taker):
            self.init(phase: .cancelled, approver: taker)
        }
    }

    /// The state; `nil` when the fields contradict one another.
    package var state: SignInExchange.State? {
        switch phase {
        case .open:
            return .open
        case .taken:
            guard let approver, let evidence, let instant else { return nil }
            return .taken(Taking(approver: approver, evidence: evidence, taken: instant))
        case .approved:
            guard let approver, let grant else { return nil }
            return .approved(grant, by: approver, over: link)
        case .denied:
            guard let approver else { return nil }
            return .denied(by: approver)
        case .redeemed:
            guard let grant, let instant else { return nil }
            return .redeemed(grant, at: instant)
        case .cancelled:
            return .cancelled(taker: approver)
        }
    }
}
