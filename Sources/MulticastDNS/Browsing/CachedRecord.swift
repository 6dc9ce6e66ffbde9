/// A record that another host sent, until it expires.
struct CachedRecord: Sendable {
    let record: ResourceRecord
    /// The address of the host that sent it first.
    let sender: [UInt8]
    /// The instant of its first receipt.
    let since: ContinuousClock.Instant
    /// The instant of its last receipt; its lifetime counts from then.
    let received: ContinuousClock.Instant
    private(set) var expires: ContinuousClock.Instant
    /// The instant of the next query for it, while there is a search for it.
    private(set) var refresh: ContinuousClock.Instant?
    /// Whether its sender withdrew or replaced it.
    private(set) var isLeaving = false
    /// Whether other hosts queried for it without an answer; it is then removed without being queried for again.
    private(set) var isDoubted = false
    /// Whether a link to the instance that it names got an answer, so that it keeps its place in the cache.
    var isConfirmed = false
    /// The number of ``refreshes`` that were queried for.
    private var refreshed = 0
    /// The number of queries for it by other hosts without an answer.
    private var asked = 0
    /// The instant of the last query for it by another host, so that two queries within a second count once.
    private var lastAsked: ContinuousClock.Instant?
    /// The delay of each refresh, as a part of the lifetime.
    private let jitter: Double

    /// A record that was received now.
    ///
    /// - Parameters:
    ///   - since: The instant of its first receipt; `nil` for now.
    ///   - jitter: Between 0 and 0.02, drawn at random: hosts do not all query again at once.
    init(
        _ record: ResourceRecord,
        from sender: [UInt8],
        since: ContinuousClock.Instant? = nil,
        jitter: Double,
        at now: ContinuousClock.Instant
    ) {
        self.record = record
        self.sender = sender
        self.since = since ?? now
        self.jitter = jitter
        received = now
        expires = now + .seconds(Int64(record.lifetime))
        scheduleRefresh()
    }

    /// Whether more than half of its lifetime is left, so that it is sent as a known answer.
    func isFresh(at now: ContinuousClock.Instant) -> Bool {
        !isLeaving && (expires - now) * 2 > .seconds(Int64(record.lifetime))
    }

    /// The record as a known answer, with the remaining seconds.
    func known(at now: ContinuousClock.Instant) -> ResourceRecord {
        var known = record.asQuestioned
        known.lifetime = UInt32(clamping: max(0, (expires - now).components.seconds))
        return known
    }

    /// Records a refresh, and schedules the next one.
    mutating func noteRefresh(at now: ContinuousClock.Instant) {
        refreshed += 1
        scheduleRefresh(notBefore: now + QuestionSchedule.shortestPause)
    }

    /// Queries for it later, since it was queried for just now; not at all when it has expired by then.
    mutating func postponeRefresh(to instant: ContinuousClock.Instant) { refresh = instant < expires ? instant : nil }

    /// Another host queried for it by multicast without listing it as known. After the second query it expires in ten
    /// seconds, unless it is received again. Queries within a second count as one: they may have arrived over IPv4 and
    /// IPv6, and are answered once.
    ///
    /// Standard: RFC 6762 §10.5.
    mutating func noteAskedByAnother(at now: ContinuousClock.Instant) {
        if let lastAsked, now < lastAsked + .seconds(1) { return }
        lastAsked = now
        asked += 1
        guard asked == 2, !isLeaving else { return }
        isDoubted = true
        expires = min(expires, now + .seconds(10))
        refresh = nil
    }

    /// It is removed in a second, unless its sender sends it again (RFC 6762 §10.1 and §10.2).
    mutating func leave(at now: ContinuousClock.Instant) {
        isLeaving = true
        expires = min(expires, now + .seconds(1))
        refresh = nil
    }

    /// Sets ``refresh`` to the next of the four instants of queries for an expiring record.
    ///
    /// - Parameter allowed: The earliest instant of the next query; `nil` for any time.
    private mutating func scheduleRefresh(notBefore allowed: ContinuousClock.Instant? = nil) {
        guard refreshed < Self.refreshes.count else {
            refresh = nil
            return
        }
        let planned = received + .seconds(Int64(record.lifetime)) * (Self.refreshes[refreshed] + jitter)
        postponeRefresh(to: allowed.map { max(planned, $0) } ?? planned)
    }

    /// RFC 6762 §5.2.
    private static let refreshes = [0.80, 0.85, 0.90, 0.95]
}
