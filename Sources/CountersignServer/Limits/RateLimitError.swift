#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A request cannot be answered now, because there were too many.
public struct RateLimitError: Error, Sendable, Equatable {
    /// The count that is too high.
    public enum Cause: Sendable, Hashable, CustomStringConvertible {
        /// The count of this limit.
        case limit(LimitRule)
        /// The count of passwords that wait to be checked.
        case passwordQueue

        /// The name of the limit in metrics and logs.
        public var description: String {
            switch self {
            case .limit(let rule): rule.rawValue
            case .passwordQueue: "password-queue"
            }
        }
    }

    /// Too many of what.
    public let cause: Cause
    /// The time until another attempt makes sense, in seconds from now.
    public let retryAfter: Int

    init(_ cause: Cause, retryAfter: Int) {
        self.cause = cause
        self.retryAfter = retryAfter
    }

    /// A limit that is reached until `end`.
    init(_ rule: LimitRule, until end: Date, at now: Date) {
        self.init(.limit(rule), retryAfter: max(1, Int(end.timeIntervalSince(now).rounded(.up))))
    }

    /// Whether the next guess has to wait, while those who are known go on.
    var delaysGuesses: Bool {
        if case .limit(let rule) = cause { rule.declaration.manner == .delays } else { false }
    }
}
