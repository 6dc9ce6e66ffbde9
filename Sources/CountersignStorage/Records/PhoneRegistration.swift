public import Foundation

/// The verification of a device's telephone number.
///
///     unverified ──ask──▶ pending ──right code──▶ verified
///                          ▲   │                     ▲
///                     new code └─right code─▶ moving ┘ after the waiting time
///
/// A code is valid for ten minutes and five attempts.
public struct PhoneRegistration: Sendable, Equatable {
    /// A code that was sent to a number.
    public struct Challenge: Sendable, Equatable {
        /// The number.
        public let number: PhoneNumber
        /// The digest of the code, made with a key of the server.
        public let code: SecretDigest
        /// The time when it was sent.
        public let sent: Date
        /// The number of wrong attempts.
        public var wrong: Int

        /// Creates a challenge.
        public init(_ number: PhoneNumber, code: SecretDigest, sent: Date, wrong: Int = 0) {
            self.number = number
            self.code = code
            self.sent = sent
            self.wrong = wrong
        }

        /// Whether it can still be answered.
        public func isLive(at now: Date) -> Bool {
            wrong < PhoneRegistration.mostTries && now < sent.notAhead(of: now) + PhoneRegistration.codeLifetime
        }
    }

    /// The states of a device.
    public enum State: Sendable, Equatable {
        /// It verified no number.
        case unverified
        /// A code was sent; `before` is the number that it has verified already.
        case pending(Challenge, before: PhoneNumber?)
        /// It verified a number of another person, whose device may object until then.
        case moving(PhoneNumber, until: Date)
        /// It verified this number.
        case verified(PhoneNumber)
    }

    /// The result of typing a code.
    public enum Answer: Sendable, Equatable {
        /// The code is right; this is its number.
        case right(PhoneNumber)
        /// The code is wrong.
        case wrong
        /// No code is expected: none was sent, it has expired, or its attempts are exhausted.
        case notExpected
    }

    /// The maximum number of attempts for a code.
    public static let mostTries = 5
    /// The lifetime of a code, in seconds.
    public static let codeLifetime: TimeInterval = 600
    /// The number of digits of a code.
    public static let digits = 6
    /// The state of the device.
    public private(set) var state: State

    /// A device without a number, or the stored state.
    public init(_ state: State = .unverified) {
        self.state = state
    }

    /// The number that the device has verified; `nil` for none.
    public var provedNumber: PhoneNumber? {
        switch state {
        case .verified(let number): number
        case .pending(_, before: let number): number
        case .unverified, .moving: nil
        }
    }

    /// The number that the device has stated last; `nil` for none.
    public var namedNumber: PhoneNumber? {
        switch state {
        case .unverified: nil
        case .pending(let challenge, before: _): challenge.number
        case .moving(let number, until: _), .verified(let number): number
        }
    }

    /// Whether a code for a number can still be answered.
    public func hasLiveCode(for number: PhoneNumber, at now: Date) -> Bool {
        guard case .pending(let challenge, before: _) = state else { return false }
        return challenge.number == number && challenge.isLive(at: now)
    }

    /// Records that a code was sent.
    ///
    /// - Parameters:
    ///   - code: The digest of the code, made with a key of the server.
    ///   - number: The number that the code goes to.
    ///   - now: The current time.
    public mutating func send(_ code: SecretDigest, to number: PhoneNumber, at now: Date) {
        state = .pending(Challenge(number, code: code, sent: now), before: provedNumber)
    }

    /// Compares a typed code. After a right one, the caller decides between ``verify(_:)`` and ``wait(for:until:)``.
    public mutating func answer(_ code: SecretDigest, at now: Date) -> Answer {
        guard case .pending(var challenge, before: let before) = state, challenge.isLive(at: now) else {
            return .notExpected
        }
        guard challenge.code == code else {
            challenge.wrong += 1
            state = .pending(challenge, before: before)
            return .wrong
        }
        return .right(challenge.number)
    }

    /// Gives the device the number.
    public mutating func verify(_ number: PhoneNumber) {
        state = .verified(number)
    }

    /// Waits for the move of another person's number, whose device may object until then.
    public mutating func wait(for number: PhoneNumber, until due: Date) {
        state = .moving(number, until: due)
    }

    /// Removes the number of the device.
    public mutating func end() {
        state = .unverified
    }
}
