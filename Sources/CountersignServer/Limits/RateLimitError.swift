internal import FoundationEssentialsCompat

/// The request exceeds a limit.
public struct RateLimitError: Error, Sendable, Equatable {
    /// The exceeded limit.
    public enum Cause: Sendable, Hashable, CustomStringConvertible {
        /// A limit of the settings.
        case limit(LimitRule)
        /// The length of the queue of passwords.
        case passwordQueue

        /// The name of the limit in metrics and logs.
        public var description: String {
            switch self {
            case .limit(let rule): rule.rawValue
            case .passwordQueue: "password-queue"
            }
        }
    }

    /// The exceeded limit.
    public let cause: Cause
    /// The time until the next attempt, in seconds.
    public let retryAfter: Int

    init(_ cause: Cause, retryAfter: Int) {
        self.cause = cause
        self.retryAfter = retryAfter
    }

    /// Creates the error for a limit that is reached until `end`.
    init(_ rule: LimitRule, until end: Date, at now: Date) {
        self.init(.limit(rule), retryAfter: max(1, Int(end.timeIntervalSince(now).rounded(.up))))
    }

    /// Whether it is a limit on guesses, which does not affect known browsers.
    var delaysGuesses: Bool {
        if case .limit(let rule) = cause { rule.declaration.manner == .delays } else { false }
    }
}
