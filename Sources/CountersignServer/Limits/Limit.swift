/// So many times in a span of time that begins with the first.
public struct Limit: Sendable, Equatable, CustomStringConvertible {
    /// The most that are let through in one span.
    public let most: Int
    /// The length of the span, in seconds.
    public let seconds: Int

    /// A limit of `most` times in `seconds`; both are at least 1.
    public init(_ most: Int, in seconds: Int) {
        precondition(most > 0 && seconds > 0, "a limit lets something through in some time")
        self.most = most
        self.seconds = seconds
    }

    /// Reads `10/60`, ten times in sixty seconds; `nil` for anything else, and for spans of more than a day.
    public init?(parsing text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let most = Int(parts[0]), let seconds = Int(parts[1]),
            (1...1_000_000_000).contains(most), (1...86_400).contains(seconds)
        else { return nil }
        self.init(most, in: seconds)
    }

    public var description: String { "\(most)/\(seconds)" }
}

/// A limit was reached: what was asked is not done, however good it was.
public struct LimitReached: Error, Sendable, Equatable {
    public let limit: LimitName
    /// After how many seconds it is worth to ask again.
    public let retryAfter: Int
}
