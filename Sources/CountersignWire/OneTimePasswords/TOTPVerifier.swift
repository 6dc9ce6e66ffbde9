public import FoundationEssentialsCompat

/// Verifies passwords that an authenticator computes from the time, remembers the last one that was accepted, and
/// learns how far the authenticator's clock is off.
///
/// ```swift
/// var verifier = TOTPVerifier(TOTP(HOTP(secret: secret)))
/// let verdict = verifier.verify(password, at: clock.now())
/// ```
///
/// Standard: RFC 6238 §5.2 (each password once, window), §6 (resynchronization).
public struct TOTPVerifier: Sendable, Equatable {
    /// The greatest learned drift, in steps; ten minutes with steps of 30 seconds.
    public static let largestDrift = 20

    /// The generator of the passwords.
    public let totp: TOTP
    /// The number of steps before and after the expected one that are accepted.
    public let window: Int
    /// The last step whose password was accepted; `nil` when none was.
    public private(set) var lastStep: UInt64?
    /// The lead of the authenticator's clock when it was last accepted, in steps; negative when it was behind.
    public private(set) var drift: Int

    /// A verifier.
    public init(_ totp: TOTP, window: Int = 1, lastStep: UInt64? = nil, drift: Int = 0) {
        self.totp = totp
        self.window = min(max(window, 0), 10)
        self.lastStep = lastStep
        self.drift = min(max(drift, -Self.largestDrift), Self.largestDrift)
    }

    /// Verifies a password; one that is accepted, and those of earlier steps, are never accepted again.
    ///
    /// - Parameters:
    ///   - password: The text that the person typed.
    ///   - now: The time of its arrival.
    public mutating func verify(_ password: OneTimePassword, at now: Date) -> OneTimePasswordVerdict {
        let current = totp.timeStep(at: now)
        let ahead = UInt64(drift.magnitude)
        let centre = drift < 0 ? current.subtractingDownToZero(ahead) : current + ahead
        // An unused step goes first: in the rare case that two steps have one password, it is the one that counts.
        let candidates = steps(around: centre, within: window).sorted { isUnused($0) && !isUnused($1) }
        return take(totp.hotp.counter(of: password, in: candidates), at: current)
    }

    /// Finds an authenticator again whose clock is further off than the window, by two passwords that follow one
    /// another.
    ///
    /// Standard: RFC 6238 §6.
    ///
    /// - Parameters:
    ///   - first: A password.
    ///   - second: The password of the step after it.
    ///   - now: The time of their arrival.
    /// - Returns: `accepted` with the step of the second password; `alreadyUsed` when that step is not after the last
    ///   accepted one; else `wrong`.
    public mutating func resynchronize(
        with first: OneTimePassword,
        then second: OneTimePassword,
        at now: Date
    ) -> OneTimePasswordVerdict {
        let current = totp.timeStep(at: now)
        var found: UInt64?
        for step in steps(around: current, within: Self.largestDrift) {
            let isSecond = totp.hotp.password(at: step) == second
            let isFirst = step > 0 && totp.hotp.password(at: step - 1) == first
            if isFirst, isSecond, found == nil { found = step }
        }
        return take(found, at: current)
    }

    private mutating func take(_ step: UInt64?, at current: UInt64) -> OneTimePasswordVerdict {
        guard let step else { return .wrong }
        guard isUnused(step) else { return .alreadyUsed }
        lastStep = step
        let ahead = step >= current ? Int(step - current) : -Int(current - step)
        drift = min(max(ahead, -Self.largestDrift), Self.largestDrift)
        return .accepted(at: step)
    }

    private func isUnused(_ step: UInt64) -> Bool { lastStep.map { step > $0 } ?? true }

    private func steps(around centre: UInt64, within window: Int) -> ClosedRange<UInt64> {
        centre.subtractingDownToZero(UInt64(window))...(centre + UInt64(window))
    }
}
