/// The outcome of a run.
public struct HomeReport: Sendable, Equatable {
    /// The run, line by line: the same for the same schedule, byte for byte.
    public let trace: [String]
    /// The first fault; `nil` for none.
    public let fault: HomeFault?
}

/// A broken promise of the sign-in, or of the home itself.
public struct HomeFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The promise that was broken.
    public enum Promise: String, Sendable, CaseIterable {
        /// A request is decided once.
        case oneDecision = "one decision"
        /// A request gives one family of tokens.
        case oneFamily = "one token family"
        /// A token has a decision of its person.
        case decided = "no token without a decision"
        /// No token of a service lives past the end that it asked for.
        case timed = "no token past its end"
        /// A locked person gets nothing.
        case locked = "nothing for a locked person"
        /// A screen has one outcome, once the network works again.
        case ends = "every screen ends"
        /// Every place shows the outcome that the server has.
        case sameOutcome = "one outcome everywhere"
        /// An attacker gets nothing that was not meant for them.
        case nothingStolen = "nothing for the attacker"
        /// An attacker's guesses and requests are bounded.
        case bounded = "a bounded attack"
        /// The audit is whole.
        case audit = "a whole audit"
        /// The server has no fault.
        case server = "a server without faults"
    }

    /// The promise.
    public let promise: Promise
    /// The facts, for a developer.
    public let reason: String

    init(_ promise: Promise, _ reason: String) {
        self.promise = promise
        self.reason = reason
    }

    /// Promise and facts.
    public var description: String { "\(promise.rawValue): \(reason)" }
}
