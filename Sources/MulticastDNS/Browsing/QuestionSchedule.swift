/// When a question is asked again: after one second, two, four, and so on up to an hour.
///
/// Standard: RFC 6762 §5.2.
struct QuestionSchedule: Sendable, Equatable {
    /// When the question is asked next.
    private(set) var next: ContinuousClock.Instant
    /// The pause after the next question; it doubles each time, up to an hour.
    private var pause = Duration.milliseconds(1005)
    /// Whether the question has not been asked yet.
    private(set) var isFirst = true

    /// A schedule whose first question is asked at `start`.
    ///
    /// - Parameter start: The instant at which it begins.
    init(startingAt start: ContinuousClock.Instant) {
        next = start
    }

    /// It was asked, by this host or by another whose answers arrive here as well.
    ///
    /// - Parameter now: The instant at which this happens.
    mutating func noteAsked(at now: ContinuousClock.Instant) {
        isFirst = false
        next = now + pause
        pause = min(pause * 2, .seconds(3600))
    }

    /// Whether it is about to be asked, so that another's same question makes that needless.
    ///
    /// - Parameter now: The instant at which this happens.
    func isPending(at now: ContinuousClock.Instant) -> Bool {
        next <= now + .seconds(1)
    }
}
