/// A maximum number of attempts in a span, which begins with the first attempt.
public struct Limit: Sendable, Equatable, CustomStringConvertible {
    /// The largest number that is allowed in one span.
    public let most: Int
    /// The length of the span, in seconds.
    public let seconds: Int

    /// Creates a limit. Both numbers must be at least 1; anything else is a programming error and stops the program.
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

    /// The limit as in settings: how often, a slash, and in how many seconds.
    public var description: String { "\(most)/\(seconds)" }
}
