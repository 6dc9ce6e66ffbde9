public import FoundationEssentialsCompat

/// An address to which codes are sent.
public protocol CodeAddress: Sendable, Equatable {
    /// The lifetime of a code, in seconds.
    static var codeLifetime: TimeInterval { get }
    /// The number of digits of a code.
    static var codeDigits: Int { get }
}

extension EmailAddress: CodeAddress {
    /// Half an hour.
    public static let codeLifetime: TimeInterval = 1800
    /// Eight digits.
    public static let codeDigits = 8
}

extension PhoneNumber: CodeAddress {
    /// Ten minutes.
    public static let codeLifetime: TimeInterval = 600
    /// Six digits.
    public static let codeDigits = 6
}

/// A code that was sent to an address, which its person types to verify the address.
///
/// It is valid for the lifetime of its kind of address, five attempts and one use.
public struct SentCode<Address: CodeAddress>: Sendable, Equatable {
    /// The result of a typed code.
    public enum Answer: Sendable, Equatable {
        /// The code is right; this is its address.
        case right(Address)
        /// The code is wrong.
        case wrong
        /// No code is expected: none was sent, it has expired, or its attempts are exhausted.
        case notExpected
    }

    /// The maximum number of attempts.
    public static var mostTries: Int { 5 }

    /// The address.
    public let address: Address
    /// The digest of the code, made with a key of the server.
    public let digest: SecretDigest
    /// The time when it was sent.
    public let sent: Date
    /// The number of wrong attempts.
    public private(set) var wrong: Int

    /// A code that was sent.
    public init(_ digest: SecretDigest, to address: Address, sent: Date, wrong: Int = 0) {
        self.digest = digest
        self.address = address
        self.sent = sent
        self.wrong = wrong
    }

    /// Whether the code can still be used.
    public func isLive(at now: Date) -> Bool {
        wrong < Self.mostTries && now < sent.notAhead(of: now) + Address.codeLifetime
    }

    /// Compares a typed code. The caller removes the sent one after a right answer.
    public mutating func answer(_ typed: SecretDigest, at now: Date) -> Answer {
        guard isLive(at: now) else { return .notExpected }
        guard typed == digest else {
            wrong += 1
            return .wrong
        }
        return .right(address)
    }
}
