public import FoundationEssentialsCompat

/// Computes one-time passwords from the time.
///
/// ```swift
/// let totp = TOTP(HOTP(secret: secret))
/// let shown = totp.password(at: clock.now())
/// ```
///
/// Standard: RFC 6238 §4.
public struct TOTP: Sendable, Equatable {
    /// The generator of a time step's password.
    public let hotp: HOTP
    /// The length of a time step in seconds (X), 1 to 3,600.
    public let period: Int
    /// The instant that steps are counted from (T0), in seconds since 1970.
    public let epoch: Int64

    /// A generator of passwords.
    public init(_ hotp: HOTP, period: Int = 30, epoch: Int64 = 0) {
        self.hotp = hotp
        self.period = min(max(period, 1), 3600)
        self.epoch = epoch
    }

    /// The time step at an instant; 0 for an instant before the first step.
    ///
    /// - Parameter now: An instant by the clock of the server or the device.
    public func timeStep(at now: Date) -> UInt64 {
        let seconds = (now.timeIntervalSince1970 - Double(epoch)).rounded(.down)
        guard seconds > 0, seconds < 9e15 else { return 0 }
        return UInt64(seconds) / UInt64(period)
    }

    /// Computes the password of an instant.
    ///
    /// - Parameter now: An instant by the clock of the server or the device.
    public func password(at now: Date) -> OneTimePassword { hotp.password(at: timeStep(at: now)) }
}
