/// The state of a found approver in one sign-in attempt.
struct SignInCandidate {
    /// The state of the conversation with an approver.
    enum Standing {
        /// It is contacted to find out whether it is paired.
        case probed(ConnectionID)
        /// The person may pick it.
        case unknown
        /// It is being asked.
        case asked(ConnectionID)
    }

    /// The hosts and ports of the approver; empty when it is no longer advertised.
    var endpoints: [NearbyEndpoint]
    /// The state of the conversation with it; `nil` until that is decided.
    var standing: Standing?
    /// The pairing, once it was recognised.
    var pairing: Pairing?
    /// Whether it may be picked without the person: once each time that it appears.
    var isNew = true
    /// Whether it has answered a connection.
    var hasAnswered = false
    /// The number of times that it was contacted because it may be paired.
    var contacts = 0
    /// The number of the batch of discovery events that found it.
    let found: Int
    /// Drawn at random: breaks ties in the order of contacts.
    let rank: UInt16
    /// The reason for the last failed conversation with it, and the number of consecutive failures for that reason.
    var failure: (reason: NearbyFailure, count: Int)?

    /// The pauses before an automatic retry; `nil` unless it was busy the last time.
    var backoff: BusyBackoff?

    /// The hosts of ``endpoints``; none when it is no longer advertised.
    var hosts: Set<String> { Set(endpoints.map(\.host)) }

    /// It has appeared again: it may be asked again, unless it is being asked.
    mutating func comeBack() {
        isNew = true
        backoff = nil
        if case .unknown = standing { standing = nil }
    }
}
