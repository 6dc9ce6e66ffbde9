/// The schedule of a repeated query: after one second, two, four, and so on up to an hour.
///
/// Standard: RFC 6762 §5.2.
struct QuestionSchedule: Sendable, Equatable {
    private(set) var next: ContinuousClock.Instant
    /// The pause after the next query; it doubles each time, up to an hour.
    private var pause = Self.shortestPause
    /// Whether the query was not sent yet.
    private(set) var isFirst = true

    /// A schedule whose first query is sent at `start`.
    init(startingAt start: ContinuousClock.Instant) { next = start }

    /// Records that the query was sent, by this host or by another whose answers arrive at this one as well.
    mutating func noteAsked(at now: ContinuousClock.Instant) {
        isFirst = false
        next = now + pause
        pause = min(pause * 2, .seconds(3600))
    }

    /// Sends the query later, since the same one was sent just now.
    mutating func postpone(to instant: ContinuousClock.Instant) { next = max(next, instant) }

    /// Whether the query is due within a second, so that the same query of another host replaces it.
    func isPending(at now: ContinuousClock.Instant) -> Bool { next <= now + .seconds(1) }

    /// The shortest pause between two queries for the same records: a second, and some more for receivers that count.
    static let shortestPause = Duration.milliseconds(1005)
}
