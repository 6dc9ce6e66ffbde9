/// An input of a sign-in attempt.
enum SignInInput: Sendable {
    /// Approvers were found on the network, or disappeared: their changes wait in the mailbox.
    case discovered
    /// Approvers may be contacted, and the list is shown again.
    case listChanged
    /// The person has picked an approver.
    case choose(NearbyApprover.ID)
    /// The person wants another code.
    case tryAgain
    /// The person dismisses the code.
    case goBack
    /// A connection leads to a paired approver.
    case recognized(Pairing, ConnectionID)
    /// A conversation has ended.
    case ended(ConnectionID, RequesterConversation.Ending)
    /// A single approver may be picked now.
    case settled
    /// An approver that had disappeared, or could not be reached, may be asked again.
    case mayReturn(NearbyApprover.ID)
    /// An approver that was busy is asked again.
    case askAgain(NearbyApprover.ID)
    /// A connection has got no answer for a while.
    case unanswered
    /// The last code was shown without success.
    case codesUsedUp
    /// The whole attempt has taken too long.
    case timeOver
    /// The app has cancelled the attempt.
    case stop
}
