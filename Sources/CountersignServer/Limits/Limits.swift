/// The limits of a server.
public struct Limits: Sendable, Equatable {
    private var limits = LimitRule.allCases.reduce(into: [LimitRule: Limit]()) { $0[$1] = $1.declaration.standard }

    /// Creates the default limits.
    public init() {}

    /// The limit of a rule; `nil` for none.
    public subscript(_ rule: LimitRule) -> Limit? {
        get { limits[rule] }
        set { limits[rule] = newValue }
    }

    /// The limit of a key; `nil` for a key without a count.
    subscript(_ rateKey: RateLimitKey) -> Limit? {
        guard !rateKey.isUnseen, let limit = limits[rateKey.rule] else { return nil }
        guard rateKey.factor > 1 else { return limit }
        let (most, isTooMuch) = limit.most.multipliedReportingOverflow(by: rateKey.factor)
        return Limit(isTooMuch ? .max : most, in: limit.seconds)
    }
}
