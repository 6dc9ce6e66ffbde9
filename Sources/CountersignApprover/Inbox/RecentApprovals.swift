internal import Countersign

/// The approvals that this device knows of, for as long as they may be undone.
struct RecentApprovals: Sendable {
    /// The time in which an approval may be undone: a minute, and the time to hear of it.
    private static let span = Duration.seconds(75)
    /// The holding time of a poll in that time, in seconds.
    private static let shortHold = 10

    private var known: [SignInRequest.ID: ContinuousClock.Instant] = [:]

    /// The approvals that may be undone, or were a moment ago.
    var all: Set<SignInRequest.ID> { Set(known.keys) }

    /// Adds an approval, or an answer that may be one.
    mutating func add(_ id: SignInRequest.ID, at instant: ContinuousClock.Instant) {
        known[id] = instant + Self.span
    }

    mutating func remove(_ id: SignInRequest.ID) { known[id] = nil }

    /// Forgets the approvals that can be undone no more.
    mutating func expire(at instant: ContinuousClock.Instant) { known = known.filter { $0.value > instant } }

    /// The requested holding time of a poll, in seconds.
    func hold(at instant: ContinuousClock.Instant) -> Int {
        known.values.contains { $0 > instant } ? Self.shortHold : InboxPoll.longestHold
    }
}
