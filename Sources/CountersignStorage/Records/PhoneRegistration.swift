public import Countersign
public import CountersignWire
public import Foundation

/// The progress of a device in proving its telephone number.
///
///     unverified ──ask──▶ pending ──right code──▶ verified
///                          ▲   │                     ▲
///                     new code └─right code─▶ moving ┘ after the waiting time
///
/// A code is good for ten minutes and five tries; then it takes a new one.
public struct PhoneRegistration: Sendable, Equatable {
    /// A code that was sent to a number.
    public struct Challenge: Sendable, Equatable {
        /// The number.
        public let number: PhoneNumber
        /// The digest of the code, made with a key of the server.
        public let code: SecretDigest
        /// The time when it was sent.
        public let sent: Date
        /// The number of wrong codes that were typed.
        public var wrong: Int

        /// Creates a challenge.
        public init(_ number: PhoneNumber, code: SecretDigest, sent: Date, wrong: Int = 0) {
            self.number = number
            self.code = code
            self.sent = sent
            self.wrong = wrong
        }

        /// Whether a code may still be typed.
        public func isLive(at now: Date) -> Bool {
            wrong < PhoneRegistration.mostTries && now < sent.notAhead(of: now) + PhoneRegistration.codeLifetime
        }
    }

    /// The states of a device.
    public enum State: Sendable, Equatable {
        /// It proved no number.
        case unverified
        /// A code was sent; `before` is the number that it has proved already.
        case pending(Challenge, before: PhoneNumber?)
        /// It proved a number that belongs to another device, which may object until the time is over.
        case moving(PhoneNumber, until: Date)
        /// It proved this number.
        case verified(PhoneNumber)
    }

    /// The result of typing a code.
    public enum Answer: Sendable, Equatable {
        /// It is the code that was sent to this number.
        case right(PhoneNumber)
        /// It is another.
        case wrong
        /// No code is expected: none was sent, its time is over, or it was guessed at too often.
        case notExpected
    }

    /// The maximum number of wrong codes before it takes a new one.
    public static let mostTries = 5
    /// The lifetime of a code, in seconds.
    public static let codeLifetime: TimeInterval = 600
    /// The number of digits of a code.
    public static let digits = 6
    /// The progress of the device.
    public private(set) var state: State

    /// A device that proved nothing yet; the parameter is for a store.
    public init(_ state: State = .unverified) {
        self.state = state
    }

    /// The number that the device has proved; `nil` for none.
    public var provedNumber: PhoneNumber? {
        switch state {
        case .verified(let number): number
        case .pending(_, before: let number): number
        case .unverified, .moving: nil
        }
    }

    /// The number that the device has named last; `nil` for none.
    public var namedNumber: PhoneNumber? {
        switch state {
        case .unverified: nil
        case .pending(let challenge, before: _): challenge.number
        case .moving(let number, until: _), .verified(let number): number
        }
    }

    /// Whether a code that was sent to a number may still be typed.
    public func hasLiveCode(for number: PhoneNumber, at now: Date) -> Bool {
        guard case .pending(let challenge, before: _) = state else { return false }
        return challenge.number == number && challenge.isLive(at: now)
    }

    /// A code is sent.
    ///
    /// - Parameters:
    ///   - code: The digest of the code, made with a key of the server.
    ///   - number: The number that the code goes to.
    ///   - now: The current time.
    public mutating func send(_ code: SecretDigest, to number: PhoneNumber, at now: Date) {
        state = .pending(Challenge(number, code: code, sent: now), before: provedNumber)
    }

    /// A code is typed. Whether the number becomes the device's is decided by ``verify(_:)`` or ``wait(for:until:)``.
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

    /// The number is the device's.
    public mutating func verify(_ number: PhoneNumber) {
        state = .verified(number)
    }

    /// The number belongs to another device, which may object until then.
    public mutating func wait(for number: PhoneNumber, until due: Date) {
        state = .moving(number, until: due)
    }

    /// The device has no number any more.
    public mutating func end() {
        state = .unverified
    }
}
