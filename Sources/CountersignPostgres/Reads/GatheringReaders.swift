#if PostgreSQL
/// The readers that answer groups of lookups right now; each of the lookups has announced its rows.
///
/// A group costs hardly more than one lookup and takes less than a millisecond, so that a lookup that arrives meanwhile
/// is answered sooner, and for less, together with others than by a reader that is woken for it alone.
struct GatheringReaders: Sendable {
    /// The number of lookups that may wait for each of these readers before another one is woken.
    static let mostWaiting = 8
    /// Readers are not waited for if none of them took a group for longer than this.
    static let longestGroup: Duration = .milliseconds(5)

    private var count = 0
    private var lastBegan: ContinuousClock.Instant?

    /// Records that a reader took a group.
    mutating func begin(at now: ContinuousClock.Instant) {
        count += 1
        lastBegan = now
    }

    /// Records that a reader has answered its group, or failed to.
    mutating func end() {
        count -= 1
    }

    /// Whether one of them is about to answer a lookup with announced rows, behind `waiting` others.
    func answerSoon(behind waiting: Int, at now: ContinuousClock.Instant) -> Bool {
        guard let lastBegan else { return false }
        return waiting < count * Self.mostWaiting && lastBegan.duration(to: now) < Self.longestGroup
    }
}
#endif
