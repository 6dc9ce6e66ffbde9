public import Foundation

/// The verification of a device's telephone number.
///
///     unverified ──ask──▶ pending ──right code──▶ verified
///                          ▲   │                     ▲
///                     new code └─right code─▶ moving ┘ after the waiting time
public struct PhoneRegistration: Sendable, Equatable {
    /// The states of a device.
    public enum State: Sendable, Equatable {
        /// It verified no number.
        case unverified
        /// A code was sent; `before` is the number that it has verified already.
        case pending(SentCode<PhoneNumber>, before: PhoneNumber?)
        /// It verified a number of another person, whose device may object until then.
        case moving(PhoneNumber, until: Date)
        /// It verified this number.
        case verified(PhoneNumber)
    }

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
        case .pending(let code, before: _): code.address
        case .moving(let number, until: _), .verified(let number): number
        }
    }

    /// Whether a code for a number can still be answered.
    public func hasLiveCode(for number: PhoneNumber, at now: Date) -> Bool {
        guard case .pending(let code, before: _) = state else { return false }
        return code.address == number && code.isLive(at: now)
    }

    /// Records that a code was sent.
    ///
    /// - Parameters:
    ///   - code: The digest of the code, made with a key of the server.
    ///   - number: The number that the code goes to.
    ///   - now: The current time.
    public mutating func send(_ code: SecretDigest, to number: PhoneNumber, at now: Date) {
        state = .pending(SentCode(code, to: number, sent: now), before: provedNumber)
    }

    /// Compares a typed code. After a right one, the caller decides between ``verify(_:)`` and ``wait(for:until:)``.
    public mutating func answer(_ typed: SecretDigest, at now: Date) -> SentCode<PhoneNumber>.Answer {
        guard case .pending(var code, before: let before) = state else { return .notExpected }
        let answer = code.answer(typed, at: now)
        state = .pending(code, before: before)
        return answer
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
