internal import FoundationEssentialsCompat

/// The pauses between the texts to one number; each is twice as long as the previous one.
struct TextPause: Sendable {
    /// The first pause, in seconds.
    static let first: TimeInterval = 30
    /// The longest pause, in seconds: the span of the limit divided by its number.
    let longest: TimeInterval
    /// Creates the pauses of a limit.
    init(_ limit: Limit) {
        longest = Double(limit.seconds) / Double(limit.most)
    }

    /// The pause after the next text, in seconds, after a number of earlier texts.
    func pause(afterSending sent: Int) -> TimeInterval {
        // Twenty doublings of half a minute are a year.
        min(Self.first * Double(1 << min(max(sent, 0), 20)), longest)
    }

    /// The time of the next text; `nil` for now.
    func next(after count: RateCounter, at now: Date) -> Date? {
        guard let next = count.drained(at: now, lasting: longest), next > now else { return nil }
        return next
    }
}
