/// Verifies passwords that an authenticator computes from a counter, and stores the counter's value.
///
/// ```swift
/// var verifier = HOTPVerifier(HOTP(secret: secret))
/// let verdict = verifier.verify(password)          // .accepted(at: 0); verifier.counter has moved on
/// ```
///
/// Standard: RFC 4226 §7.2 to §7.4.
public struct HOTPVerifier: Sendable, Equatable {
    /// The generator of the passwords.
    public let hotp: HOTP
    /// The number of passwords that the authenticator may have shown without their being used.
    public let lookAhead: Int
    /// The counter of the next password that was not used yet.
    public private(set) var counter: UInt64

    /// A verifier.
    public init(_ hotp: HOTP, counter: UInt64 = 0, lookAhead: Int = 5) {
        self.hotp = hotp
        self.counter = counter
        self.lookAhead = min(max(lookAhead, 0), 100)
    }

    /// Verifies a password; one that is accepted, and all before it, are never accepted again.
    ///
    /// - Parameter password: The text that the person typed.
    public mutating func verify(_ password: OneTimePassword) -> OneTimePasswordVerdict {
        let accepted = hotp.counter(of: password, in: window(ahead: lookAhead))
        let used = hotp.counter(of: password, in: counter.subtractingDownToZero(UInt64(lookAhead) + 1)..<counter)
        guard let accepted, accepted < .max else { return used == nil ? .wrong : .alreadyUsed }
        counter = accepted + 1
        return .accepted(at: accepted)
    }

    /// Finds an authenticator again whose counter has run far ahead, by two passwords that follow one another.
    ///
    /// The two together are as hard to guess as one password of twice the digits, so that the window may be wide.
    /// Standard: RFC 4226 §7.4.
    ///
    /// - Parameters:
    ///   - first: A password.
    ///   - second: The password that the authenticator showed next.
    ///   - window: The number of counters to look ahead, 1 to 10,000; 1,000 by default.
    /// - Returns: `accepted` with the counter of the second password, or `wrong`.
    public mutating func resynchronize(
        with first: OneTimePassword,
        then second: OneTimePassword,
        within window: Int = 1000
    ) -> OneTimePasswordVerdict {
        var found: UInt64?
        for candidate in self.window(ahead: min(max(window, 1), 10_000)) where candidate < .max - 1 {
            let isFirst = hotp.password(at: candidate) == first
            let isSecond = hotp.password(at: candidate + 1) == second
            if isFirst, isSecond, found == nil { found = candidate + 1 }
        }
        guard let found else { return .wrong }
        counter = found + 1
        return .accepted(at: found)
    }

    private func window(ahead: Int) -> ClosedRange<UInt64> {
        let (end, overflows) = counter.addingReportingOverflow(UInt64(ahead))
        return counter...(overflows ? .max : end)
    }
}

extension UInt64 {
    /// The difference, or 0 where it would be negative.
    func subtractingDownToZero(_ other: UInt64) -> UInt64 { self > other ? self - other : 0 }
}
