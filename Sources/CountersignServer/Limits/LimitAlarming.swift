internal import FoundationEssentialsCompat

/// The notification of the operator about shared limits.
protocol LimitAlarming: Sendable {
    /// Notifies the operator of a reached limit, once in its span, which ends at `end`.
    func tell(of rateKey: RateLimitKey, until end: Date, at now: Date, in repositories: any Repositories) throws
}

/// Notifies no operator.
struct NoAlarms: LimitAlarming {
    func tell(of _: RateLimitKey, until _: Date, at _: Date, in _: any Repositories) {}
}
