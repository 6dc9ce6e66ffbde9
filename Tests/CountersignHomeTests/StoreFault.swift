/// The fault of a ``FaultyStore``.
enum StoreFault: Sendable, CaseIterable {
    /// Approved requests are open again for whoever types their code or holds them.
    case forgetsApprovals
    /// Denied requests are open again.
    case forgetsDenials
    /// Requests that screens gave up are open again.
    case forgetsCancellations
    /// A redeemed code can be redeemed again, and gets another answer.
    case forgetsRedemptions
    /// Tokens are for another person than the one who approved.
    case confusesPeople
    /// Sign-ins do not end by themselves.
    case forgetsEnds
    /// Locked people are active.
    case forgetsLocks
    /// Screens that poll never see an approval.
    case hidesApprovals
    /// Screens that poll see approvals as denials.
    case invertsApprovals
    /// The number that a screen shows need not be typed.
    case forgetsNumbers
    /// Nothing is counted, so that nothing is limited.
    case forgetsCounts
    /// An entry of the audit is not what was recorded.
    case rewritesAudit
    /// No sign-in can be stored.
    case isFull
}
