/// What was forgotten lately, and when: so that a row that was read before, and arrives after, is not kept.
///
/// It remembers a bounded number of forgettings. About what lies further back it says yes: better to keep a good row
/// out than a stale one in.
struct Forgettings<Key: Hashable & Sendable>: Sendable {
    /// Counts the news; the only clock here.
    typealias Moment = UInt64

    private var moments: Generations<Key, Moment>
    /// Up to this moment everything counts as forgotten.
    private var horizon: Moment = 0
    private var lastTurn: Moment = 0

    init(capacity: Int) {
        moments = Generations(capacity: capacity)
    }

    mutating func note(_ key: Key, at moment: Moment) {
        // With a turn of the generations goes what was noted before the turn before.
        if moments.put(moment, for: key) {
            horizon = lastTurn
            lastTurn = moment
        }
    }

    /// Forgets everything that was so until `moment`.
    mutating func noteAll(at moment: Moment) {
        moments.removeAll()
        horizon = moment
        lastTurn = moment
    }

    /// Whether `key` was forgotten after `moment`, or may have been.
    func has(_ key: Key, since moment: Moment) -> Bool {
        if moment < horizon { return true }
        guard let forgotten = moments.peek(key) else { return false }
        return moment < forgotten
    }
}
