public import FoundationEssentialsCompat

/// An approver's hold on a request that they are about to decide.
public struct Taking: Sendable, Equatable, Codable {
    /// The person, and the screen that they use.
    public let approver: ApproverIdentity
    /// Their evidence until then.
    public let evidence: Evidence
    /// The instant of taking, by the server's clock; the hold lasts ``SignInExchange/takingLifetime``.
    public let taken: Date

    package init(approver: ApproverIdentity, evidence: Evidence, taken: Date) {
        self.approver = approver
        self.evidence = evidence
        self.taken = taken
    }
}

/// The reason that a request cannot be taken.
public enum TakingError: Error, Sendable, Equatable {
    /// The request was approved, denied or redeemed.
    case alreadyDecided
    /// The request's deadline has passed.
    case expired
    /// The requesting side gave the request up.
    case cancelled
    /// The request is for another person; answer as if it did not exist.
    case addressedToAnother
}

/// The reason that a decision does not count.
public enum DecisionError: Error, Sendable, Equatable {
    /// The request was already decided.
    case alreadyDecided
    /// The request's deadline has passed.
    case expired
    /// The requesting side gave the request up.
    case cancelled
    /// The approver does not hold the request, or the hold has ended.
    case notTaken
    /// The grant is for another person or client, or exceeds the request.
    case anotherGrant
}

/// The result of redeeming a grant.
public enum Redemption: Sendable, Equatable {
    /// The request is not decided yet.
    case wait
    /// The grant, handed out for the first and only time.
    case granted(Grant)
    /// The person refused, or took the approval back; or the requesting side gave the request up.
    case denied
    /// The request's deadline passed before the grant was redeemed.
    case expired
    /// The grant was handed out before.
    case alreadySpent
    /// The request was approved over a link that the requesting screen does not name; it is denied from now on.
    case otherLink
}

/// The result of taking an approval back.
public enum Withdrawal: Sendable, Equatable {
    /// Nothing was handed out yet, and nothing will be.
    case withdrawn
    /// Tokens were handed out; the caller must revoke all tokens of this grant.
    case revoke(Grant.ID)
    /// The undo period has expired; the person can still sign the device out.
    case tooLate
    /// The request is not approved, or another person approved it.
    case nothingToUndo
}
