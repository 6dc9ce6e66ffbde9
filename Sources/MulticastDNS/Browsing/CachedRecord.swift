/// A record that another sent, until it is to be forgotten.
struct CachedRecord: Sendable {
    /// The record as it was received.
    let record: ResourceRecord
    /// When it was received last; its lifetime counts from then.
    let received: ContinuousClock.Instant
    /// When it is forgotten.
    private(set) var expires: ContinuousClock.Instant
    /// When it is asked for again, while there is a search for it.
    private(set) var refresh: ContinuousClock.Instant?
    /// It goes because its sender said so, or sent another in its place.
    private(set) var isLeaving = false
    /// Others asked for it in vain, so that it is forgotten without being asked for again.
    private(set) var isDoubted = false
    /// How many of the refreshes of ``refreshes`` have been asked for.
    private var refreshed = 0
    /// How often others asked for it in vain.
    private var asked = 0
    /// When another asked for it last, so that two questions within a second count once.
    private var lastAsked: ContinuousClock.Instant?
    /// The part of the lifetime by which each refresh is late.
    private let jitter: Double

    /// - Parameter jitter: between 0 and 0.02, drawn at random: hosts do not all ask again at once.
    init(_ record: ResourceRecord, jitter: Double, at now: ContinuousClock.Instant) {
        self.record = record
        self.jitter = jitter
        received = now
        expires = now + .seconds(Int64(record.lifetime))
        scheduleRefresh()
    }

    /// Whether more than half of its time is left, so that it is worth mentioning.
    ///
    /// - Parameter now: The instant at which this happens.
    func isFresh(at now: ContinuousClock.Instant) -> Bool {
        !isLeaving && (expires - now) * 2 > .seconds(Int64(record.lifetime))
    }

    /// As it is mentioned in a question: with the seconds that are left.
    ///
    /// - Parameter now: The instant at which this happens.
    func known(at now: ContinuousClock.Instant) -> ResourceRecord {
        var known = record.asQuestioned
        known.lifetime = UInt32(clamping: max(0, (expires - now).components.seconds))
        return known
    }

    /// It is asked for; the next time comes later.
    mutating func noteRefresh() {
        refreshed += 1
        scheduleRefresh()
    }

    /// Another asked everybody for it, and did not know it. After the second time there are ten seconds left to hear it.
    /// Questions within a second are one: they may have come by two ways, and are answered once.
    ///
    /// Standard: RFC 6762 §10.5.
    ///
    /// - Parameter now: The instant at which this happens.
    mutating func noteAskedByAnother(at now: ContinuousClock.Instant) {
        if let lastAsked, now < lastAsked + .seconds(1) { return }
        lastAsked = now
        asked += 1
        guard asked == 2, !isLeaving else { return }
        isDoubted = true
        expires = min(expires, now + .seconds(10))
        refresh = nil
    }

    /// It is forgotten in a second, unless its sender sends it once more (RFC 6762 §10.1 and §10.2).
    ///
    /// - Parameter now: The instant at which this happens.
    mutating func leave(at now: ContinuousClock.Instant) {
        isLeaving = true
        expires = min(expires, now + .seconds(1))
        refresh = nil
    }

    /// Sets ``refresh`` to the next of the four times at which a record that is about to expire is asked for.
    private mutating func scheduleRefresh() {
        guard refreshed < Self.refreshes.count else {
            refresh = nil
            return
        }
        refresh = received + .seconds(Int64(record.lifetime)) * (Self.refreshes[refreshed] + jitter)
    }

    /// RFC 6762 §5.2.
    private static let refreshes = [0.80, 0.85, 0.90, 0.95]
}
