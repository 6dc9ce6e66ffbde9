/// A record that another host sent, until it expires.
struct CachedRecord: Sendable {
    /// The record as it was received.
    let record: ResourceRecord
    /// The address of the host that sent it first.
    let sender: [UInt8]
    /// When it was received first.
    let since: ContinuousClock.Instant
    /// When it was received last; its lifetime counts from then.
    let received: ContinuousClock.Instant
    /// When it is removed.
    private(set) var expires: ContinuousClock.Instant
    /// When it is queried for again, while there is a search for it.
    private(set) var refresh: ContinuousClock.Instant?
    /// Whether its sender withdrew or replaced it.
    private(set) var isLeaving = false
    /// Whether other hosts queried for it without an answer; it is then removed without being queried for again.
    private(set) var isDoubted = false
    /// Whether a link to the instance that it names got an answer, so that it keeps its place in the cache.
    var isConfirmed = false
    /// How many of the ``refreshes`` were queried for.
    private var refreshed = 0
    /// How often other hosts queried for it without an answer.
    private var asked = 0
    /// When another host queried for it last, so that two queries within a second count once.
    private var lastAsked: ContinuousClock.Instant?
    /// The part of the lifetime by which each refresh is delayed.
    private let jitter: Double

    /// A record that was received now.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - sender: The address of the host that sent it first.
    ///   - since: When it was received first; `nil` for now.
    ///   - jitter: Between 0 and 0.02, drawn at random: hosts do not all query again at once.
    ///   - now: The current instant.
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
    ///
    /// - Parameter now: The instant at which this happens.
    func isFresh(at now: ContinuousClock.Instant) -> Bool {
        !isLeaving && (expires - now) * 2 > .seconds(Int64(record.lifetime))
    }

    /// The record as a known answer, with the remaining seconds.
    ///
    /// - Parameter now: The instant at which this happens.
    func known(at now: ContinuousClock.Instant) -> ResourceRecord {
        var known = record.asQuestioned
        known.lifetime = UInt32(clamping: max(0, (expires - now).components.seconds))
        return known
    }

    /// Notes a refresh, and schedules the next one.
    ///
    /// - Parameter now: The instant at which this happens.
    mutating func noteRefresh(at now: ContinuousClock.Instant) {
        refreshed += 1
        scheduleRefresh(notBefore: now + QuestionSchedule.shortestPause)
    }

    /// Queries for it later, since it was queried for just now; not at all when it has expired by then.
    ///
    /// - Parameter instant: When it may be queried for.
    mutating func postponeRefresh(to instant: ContinuousClock.Instant) {
        refresh = instant < expires ? instant : nil
    }

    /// Another host queried for it by multicast without listing it as known. After the second query it expires in ten
    /// seconds, unless it is received again. Queries within a second count as one: they may have arrived over IPv4 and
    /// IPv6, and are answered once.
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

    /// It is removed in a second, unless its sender sends it again (RFC 6762 §10.1 and §10.2).
    ///
    /// - Parameter now: The instant at which this happens.
    mutating func leave(at now: ContinuousClock.Instant) {
        isLeaving = true
        expires = min(expires, now + .seconds(1))
        refresh = nil
    }

    /// Sets ``refresh`` to the next of the four times at which an expiring record is queried for.
    ///
    /// - Parameter allowed: When it may be queried for; `nil` for any time.
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
