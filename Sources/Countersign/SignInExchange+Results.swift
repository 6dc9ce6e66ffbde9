#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Somebody who picked a request up and is about to decide.
public struct Taking: Sendable, Equatable, Codable {
    public let approver: Approver
    /// What they proved by then.
    public let evidence: Evidence
    /// When they took it.
    public let taken: Date

    package init(approver: Approver, evidence: Evidence, taken: Date) {
        self.approver = approver
        self.evidence = evidence
        self.taken = taken
    }
}

/// Why a request cannot be taken.
public enum TakingRefused: Error, Sendable, Equatable {
    case alreadyDecided
    case expired
    /// The request is for another person: for everybody else there is none.
    case addressedToAnother
}

/// Why a decision does not count.
public enum DecisionRefused: Error, Sendable, Equatable {
    /// Somebody decided before.
    case alreadyDecided
    /// The request's deadline has passed.
    case expired
    /// The approver does not hold the request, or not any more.
    case notTaken
    /// The grant is another person's, another client's, or for more than was asked.
    case anotherGrant
}

/// What comes of redeeming.
public enum Redemption: Sendable, Equatable {
    /// Nobody has decided yet.
    case wait
    case granted(Grant)
    case denied
    case expired
    /// The grant was handed out before.
    case alreadySpent
    /// It was approved over a link that the asking screen does not name; the request is denied now.
    case otherLink
}

/// What comes of undoing an approval.
public enum Withdrawal: Sendable, Equatable {
    /// Nothing was handed out yet, and now nothing will be.
    case withdrawn
    /// Tokens were handed out; those of this grant are to be revoked.
    case revoke(Grant.ID)
    /// The undo minute is over; signing out remains.
    case tooLate
    case nothingToUndo
}
