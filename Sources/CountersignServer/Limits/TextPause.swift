#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The pauses between the texts to one number: the first is short, and each is twice as long as the one before.
struct TextPause: Sendable {
    /// The first pause, in seconds.
    static let first: TimeInterval = 30
    /// The longest pause, in seconds: the span of the limit divided by its number.
    let longest: TimeInterval
    /// The pauses of a limit.
    init(_ limit: Limit) {
        longest = Double(limit.seconds) / Double(limit.most)
    }

    /// The pause after the next text, in seconds, when so many were sent before.
    func pause(afterSending sent: Int) -> TimeInterval {
        // Twenty doublings of half a minute are a year.
        min(Self.first * Double(1 << min(max(sent, 0), 20)), longest)
    }

    /// The time of the next text; `nil` when it may be sent now.
    func next(after count: RateCounter, at now: Date) -> Date? {
        guard let next = count.drained(at: now, lasting: longest), next > now else { return nil }
        return next
    }
}
