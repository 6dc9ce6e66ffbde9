public import FoundationEssentialsCompat

/// An e-mail address whose code and link a person has to use.
///
/// Both are valid for half an hour, five attempts and one use.
public struct EmailVerification: Sendable, Equatable {
    /// The result of a typed code.
    public enum Answer: Sendable, Equatable {
        /// The code is right; this is its address.
        case right(EmailAddress)
        /// The code is wrong.
        case wrong
        /// No code is expected: it has expired, or its attempts are exhausted.
        case notExpected
    }

    /// The maximum number of attempts for a code.
    public static let mostTries = 5
    /// The lifetime of a code, in seconds.
    public static let codeLifetime: TimeInterval = 1800
    /// The number of digits of a code.
    public static let digits = 8

    /// The address.
    public let address: EmailAddress
    /// The digest of the code, made with a key of the server.
    public let code: SecretDigest
    /// The time when it was sent.
    public let sent: Date
    /// The number of wrong attempts.
    public private(set) var wrong: Int

    /// Creates a verification.
    public init(of address: EmailAddress, code: SecretDigest, sent: Date, wrong: Int = 0) {
        self.address = address
        self.code = code
        self.sent = sent
        self.wrong = wrong
    }

    /// Whether the code can still be used.
    public func isLive(at now: Date) -> Bool {
        wrong < Self.mostTries && now < sent.notAhead(of: now) + Self.codeLifetime
    }

    /// Compares a typed code. The caller removes the verification after a right one.
    public mutating func answer(_ typed: SecretDigest, at now: Date) -> Answer {
        guard isLive(at: now) else { return .notExpected }
        guard typed == code else {
            wrong += 1
            return .wrong
        }
        return .right(address)
    }
}
