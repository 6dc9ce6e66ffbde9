public import FoundationEssentialsCompat

/// One request for sign-in, from its creation until its grant is spent.
///
///     open ──take──▶ taken ──approve──▶ approved ──redeem──▶ redeemed
///       ▲             │ │                  │
///       └─two minutes─┘ └────deny─▶ denied ◀┘ withdraw
///
/// The requesting side may give it up until it is redeemed or denied; then it is *cancelled*.
///
/// Expiry is no state: it follows from the request's deadline and the caller's `now`.
///
/// ```swift
/// var exchange = SignInExchange(request: request)
/// try exchange.take(by: approver, proving: evidence, at: now)
/// try exchange.record(.approve(grant), by: approver, at: now)
/// switch exchange.redeem(at: now) {
/// case .granted(let grant): issueTokens(for: grant)
/// case .wait, .denied, .expired, .alreadySpent, .otherLink: break
/// }
/// ```
public struct SignInExchange: Sendable, Equatable {
    /// The state of the exchange; stores write it down and restore it.
    package enum State: Sendable, Equatable {
        case open
        case taken(Taking)
        /// Approved; if over a link, only the screen at its other end gets the grant.
        case approved(Grant, by: ApproverIdentity, over: NearbyLinkID? = nil)
        case denied(by: ApproverIdentity)
        case redeemed(Grant, at: Date)
        /// Given up by the requesting side; the person who held or approved it is told so.
        case cancelled(taker: ApproverIdentity? = nil)
    }

    /// The time that a taken request stays bound to its approver: 2 minutes, in seconds.
    public static let takingLifetime: TimeInterval = 120
    /// The time limit for undoing an approval: 1 minute, in seconds.
    public static let undoLifetime: TimeInterval = 60

    /// The request.
    public let request: SignInRequest
    package private(set) var state: State

    /// Creates an exchange in the state *open*.
    public init(request: SignInRequest) { self.init(restoring: request, in: .open) }

    /// An exchange read back from a store.
    package init(restoring request: SignInRequest, in state: State) {
        self.request = request
        self.state = state
    }

    /// Whether a person can still take and answer the request: it is neither decided nor over, nor another's.
    package func isOpen(to subject: Subject, at now: Date) -> Bool {
        isUndecided && now < request.deadline && request.isOpen(to: subject)
    }

    /// Binds the request to the deciding person and screen, with their evidence so far.
    ///
    /// Until there is a decision, another person may take over, unless the request is addressed to one person. When the
    /// same approver takes it again within ``takingLifetime``, the earlier evidence still holds.
    ///
    /// - Parameters:
    ///   - approver: The person, and the screen that they use.
    ///   - evidence: Their proofs; none by default.
    ///   - now: The current time, by the server's clock.
    /// - Throws: ``TakingError`` when the request is decided, expired, or addressed to another person.
    public mutating func take(
        by approver: ApproverIdentity,
        proving evidence: Evidence = Evidence(),
        at now: Date
    ) throws(TakingError) {
        guard request.isOpen(to: approver.subject) else { throw .addressedToAnother }
        switch state {
        case .approved, .denied, .redeemed: throw .alreadyDecided
        case .cancelled: throw .cancelled
        case .open, .taken:
            guard now < request.deadline else { throw .expired }
            // The earlier proofs of the same approver still hold.
            let before = taking(at: now).flatMap { $0.approver == approver ? $0.evidence : nil }
            state = .taken(Taking(approver: approver, evidence: evidence.adding(before), taken: now))
        }
    }

    /// Records the approver's answer. The first one is final; later ones are refused.
    ///
    /// - Parameters:
    ///   - decision: The answer. A grant must name this approver's person and the request's client, and a part of its
    ///     scope.
    ///   - approver: The approver that took the request at most ``takingLifetime`` ago.
    ///   - link: The link that carried the approval, and that redemption is then bound to; `nil` by default, for any
    ///     other way.
    ///   - now: The current time, by the server's clock.
    /// - Throws: ``DecisionError`` when the request is decided, expired or not held, or the grant does not match it.
    public mutating func record(
        _ decision: Decision,
        by approver: ApproverIdentity,
        over link: NearbyLinkID? = nil,
        at now: Date
    ) throws(DecisionError) {
        switch state {
        case .approved, .denied, .redeemed: throw .alreadyDecided
        case .cancelled: throw .cancelled
        case .open, .taken:
            guard now < request.deadline else { throw .expired }
            guard taking(at: now)?.approver == approver else { throw .notTaken }
        }
        switch decision {
        case .approve(let grant):
            guard grant.subject == approver.subject, grant.client == request.client.value,
                grant.scope.isSubset(of: request.scope.value)
            else { throw .anotherGrant }
            state = .approved(grant, by: approver, over: link)
        case .deny: state = .denied(by: approver)
        }
    }

    /// Takes an approval back, within ``undoLifetime``. Only the person who gave it can.
    ///
    /// - Parameters:
    ///   - subject: The person who wants to undo.
    ///   - now: The current time, by the server's clock.
    /// - Returns: The result; after ``Withdrawal/revoke(_:)`` the caller must revoke the grant's tokens.
    public mutating func withdraw(by subject: Subject, at now: Date) -> Withdrawal {
        switch state {
        case .open, .taken, .denied, .cancelled: return .nothingToUndo
        case .approved(let grant, by: let approver, over: _):
            guard grant.subject == subject else { return .nothingToUndo }
            guard Self.canUndo(grant, at: now) else { return .tooLate }
            state = .denied(by: approver)
            return .withdrawn
        case .redeemed(let grant, at: _):
            guard grant.subject == subject else { return .nothingToUndo }
            guard Self.canUndo(grant, at: now) else { return .tooLate }
            return .revoke(grant.id)
        }
    }

    /// Revokes an approval whose grant was not redeemed, regardless of its age: for a person who signs the whole device
    /// out.
    ///
    /// - Parameter subject: The person who signs the device out; approvals of others stay.
    /// - Returns: Whether there was such an approval by `subject`.
    public mutating func cancel(by subject: Subject) -> Bool {
        guard case .approved(let grant, by: let approver, over: _) = state, grant.subject == subject else {
            return false
        }
        state = .denied(by: approver)
        return true
    }

    /// Denies an undecided request because the person asked signed the requesting device out, or is no longer remembered
    /// there. Not one that another person holds, who found it by its code.
    ///
    /// - Parameters:
    ///   - subject: The person whose devices are asked.
    ///   - now: The current time.
    /// - Returns: Whether there was such a request.
    public mutating func takeBack(by subject: Subject, at now: Date) -> Bool {
        guard request.personAsked == subject else { return false }
        if let holder = taking(at: now)?.approver.subject, holder != subject { return false }
        switch state {
        case .open: state = .denied(by: ApproverIdentity(subject: subject, id: ApproverID("signed-out")))
        case .taken(let taking) where taking.approver.subject == subject: state = .denied(by: taking.approver)
        case .taken: state = .denied(by: ApproverIdentity(subject: subject, id: ApproverID("signed-out")))
        case .approved, .denied, .redeemed, .cancelled: return false
        }
        return true
    }

    /// Ends a request because the requesting side gave it up, with an approval that was not redeemed.
    ///
    /// - Returns: Whether there was something to end: the request was neither denied nor redeemed.
    public mutating func cancel() -> Bool {
        switch state {
        case .open: state = .cancelled()
        case .taken(let taking): state = .cancelled(taker: taking.approver)
        case .approved(_, by: let approver, over: _): state = .cancelled(taker: approver)
        case .denied, .redeemed, .cancelled: return false
        }
        return true
    }

    /// Hands out the grant, at most once; otherwise returns the reason.
    ///
    /// An approval given over a link waits until the requesting screen names that link. When the screen names only
    /// other links, it is not the screen that was approved, and the request is denied. Not so while a browser is on its
    /// way back: the screen, which may have asked phones nearby before, gets the name of that link in a moment.
    ///
    /// - Parameters:
    ///   - links: The links that the requesting screen claims to have used; none by default.
    ///   - now: The current time, by the server's clock.
    public mutating func redeem(over links: Set<NearbyLinkID> = [], at now: Date) -> Redemption {
        switch state {
        case .denied, .cancelled: return .denied
        case .redeemed: return .alreadySpent
        case .open, .taken, .approved:
            guard now < request.deadline else { return .expired }
        }
        guard case .approved(let grant, by: let approver, over: let link) = state else { return .wait }
        if let link, !links.contains(link) {
            guard !links.isEmpty, !grant.evidence.proofs.contains(.redirected) else { return .wait }
            state = .denied(by: approver)
            return .otherLink
        }
        state = .redeemed(grant, at: now)
        return .granted(grant)
    }

    /// The approver that holds the request at `now`, and what they proved; `nil` when the request is not taken, or was
    /// taken longer than ``takingLifetime`` ago.
    ///
    /// - Parameter now: The current time.
    public func taking(at now: Date) -> Taking? {
        guard case .taken(let taking) = state, now < taking.taken.addingTimeInterval(Self.takingLifetime) else {
            return nil
        }
        return taking
    }

    /// The person who took the request last, even when their hold has ended; `nil` before, and after a decision.
    public var taker: Subject? {
        switch state {
        case .taken(let taking): taking.approver.subject
        case .cancelled(let taker): taker?.subject
        case .open, .approved, .denied, .redeemed: nil
        }
    }

    /// Whether the requesting side gave it up.
    public var isCancelled: Bool { if case .cancelled = state { true } else { false } }

    /// Whether there is no decision yet, and the requesting side has not given it up.
    private var isUndecided: Bool {
        switch state {
        case .open, .taken: true
        case .approved, .denied, .redeemed, .cancelled: false
        }
    }

    /// The person who decided; `nil` before the decision, and for a request that was cancelled.
    public var decider: Subject? {
        switch state {
        case .open, .taken, .cancelled: nil
        case .approved(_, by: let approver, over: _), .denied(by: let approver): approver.subject
        case .redeemed(let grant, at: _): grant.subject
        }
    }

    /// The link that an approval which is not redeemed yet is bound to; `nil` for none.
    package var link: NearbyLinkID? {
        if case .approved(_, by: _, over: let link) = state { link } else { nil }
    }

    /// The grant, once there is one, spent or not.
    public var grant: Grant? {
        switch state {
        case .approved(let grant, by: _, over: _), .redeemed(let grant, at: _): grant
        case .open, .taken, .denied, .cancelled: nil
        }
    }

    /// Whether `grant` was given less than ``undoLifetime`` before `now`.
    ///
    /// - Parameters:
    ///   - grant: The grant of an approved request.
    ///   - now: The current time.
    public static func canUndo(_ grant: Grant, at now: Date) -> Bool {
        now < grant.approved.addingTimeInterval(undoLifetime)
    }
}
