/// An approver that was found, as one attempt at signing in sees it.
struct SignInCandidate {
    /// What happens with an approver.
    enum Standing {
        /// It is dialled to find out whether it is remembered.
        case probed(ConnectionID)
        /// The person may pick it.
        case unknown
        /// It is being asked.
        case asked(ConnectionID)
    }

    /// Where it can be reached; empty when it is no longer advertised.
    var endpoints: [NearbyEndpoint]
    /// What happens with it; `nil` until that is decided.
    var standing: Standing?
    /// The pairing, once it was recognised.
    var pairing: Pairing?
    /// Whether it may be picked without the person: once each time that it comes, or comes back.
    var isNew = true
    /// Why the last conversation with it failed, and how many in a row have failed for that reason.
    var failure: (reason: NearbyFailure, count: Int)?

    /// It is there again after it was away: it may be asked anew, unless it is being asked.
    mutating func comeBack() {
        isNew = true
        if case .unknown = standing { standing = nil }
    }
}
