/// The pauses before a requester retries a busy approver: they grow to a limit, with random jitter, so that screens do
/// not retry all at once.
///
/// There are never more than 15 attempts in 200 seconds, which is less than what an approver takes for a flood.
struct BusyBackoff: Sendable, Equatable {
    /// The shortest and the longest pause, in milliseconds, before chance shortens them.
    private static let (shortest, longest) = (4_000, 20_000)
    /// The number of times in a row that the approver was busy.
    private var count = 0

    /// Before the first pause.
    init() {}

    /// The next pause: twice as long as the one before, up to the limit, less a quarter at most.
    mutating func next(drawingFrom random: RandomSource) -> Duration {
        let most = min(Self.shortest << min(count, 8), Self.longest)
        count += 1
        let spared = Jitter(random).numbers(1, below: most / 4 + 1).first ?? 0
        return .milliseconds(most - spared)
    }
}
