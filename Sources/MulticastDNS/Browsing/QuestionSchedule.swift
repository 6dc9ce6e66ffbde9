/// When a question is asked again: after one second, two, four, and so on up to an hour.
///
/// Standard: RFC 6762 §5.2.
struct QuestionSchedule: Sendable, Equatable {
    private(set) var next: ContinuousClock.Instant
    private var pause = Duration.milliseconds(1005)
    private(set) var isFirst = true

    init(startingAt start: ContinuousClock.Instant) {
        next = start
    }

    /// It was asked, by us or by somebody whose answers we hear as well.
    mutating func noteAsked(at now: ContinuousClock.Instant) {
        isFirst = false
        next = now + pause
        pause = min(pause * 2, .seconds(3600))
    }

    /// Whether it is about to be asked, so that another's same question makes that needless.
    func isPending(at now: ContinuousClock.Instant) -> Bool {
        next <= now + .seconds(1)
    }
}
