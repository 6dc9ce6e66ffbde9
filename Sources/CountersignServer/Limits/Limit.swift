/// At most so many times in a span of time; the span begins with the first time.
public struct Limit: Sendable, Equatable, CustomStringConvertible {
    /// The largest number that is allowed in one span.
    public let most: Int
    /// The length of the span, in seconds.
    public let seconds: Int

    /// Creates a limit. Both numbers must be at least 1; anything else is a programming error and stops the program.
    ///
    /// - Parameters:
    ///   - most: The largest number that is allowed in one span.
    ///   - seconds: The length of the span, in seconds.
    public init(_ most: Int, in seconds: Int) {
        precondition(most > 0 && seconds > 0, "a limit lets something through in some time")
        self.most = most
        self.seconds = seconds
    }

    /// Reads a limit such as `10/60`: ten times in sixty seconds.
    ///
    /// - Parameter text: A number from 1 to 1,000,000,000, a slash, and seconds from 1 to 86,400; `nil` is returned for
    ///   anything else.
    public init?(parsing text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let most = Int(parts[0]), let seconds = Int(parts[1]),
            (1...1_000_000_000).contains(most), (1...86_400).contains(seconds)
        else { return nil }
        self.init(most, in: seconds)
    }

    /// How many requests a network with this limit may make when the shared limit is reached: a hundredth of its own
    /// limit, and at most a fiftieth of the shared one. Returns 0 if `shared` is too small to be divided.
    func share(of shared: Limit) -> Int { min(max(1, most / 100), shared.most / 50) }

    /// The limit as in settings: how often, a slash, and in how many seconds.
    public var description: String { "\(most)/\(seconds)" }
}

/// A limit was reached: the request is refused, whether it was correct or not.
public struct LimitReached: Error, Sendable, Equatable {
    /// The limit that was reached.
    public let limit: LimitName
    /// When it makes sense to try again, in seconds from now.
    public let retryAfter: Int
}
