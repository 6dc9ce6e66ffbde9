/// The limits of a server, as far as the operator changed them.
public struct Limits: Sendable, Equatable {
    private var limits = LimitRule.allCases.reduce(into: [LimitRule: Limit]()) { $0[$1] = $1.declaration.standard }

    /// The standard limits.
    public init() {}

    /// The limit of a rule; `nil` when it is switched off.
    public subscript(_ rule: LimitRule) -> Limit? {
        get { limits[rule] }
        set { limits[rule] = newValue }
    }

    /// The limit of a key; `nil` when the key is not counted.
    subscript(_ rateKey: RateLimitKey) -> Limit? {
        guard !rateKey.isUnseen, let limit = limits[rateKey.rule] else { return nil }
        guard rateKey.factor > 1 else { return limit }
        let (most, isTooMuch) = limit.most.multipliedReportingOverflow(by: rateKey.factor)
        return Limit(isTooMuch ? .max : most, in: limit.seconds)
    }
}
