public import FoundationEssentialsCompat

/// The limits on cached answers of a provider: their age and their count.
///
/// ```swift
/// var limits = TokenCacheLimits()
/// limits.good = 10  // A revoked token is refused after ten seconds at the latest.
/// ```
public struct TokenCacheLimits: Sendable, Hashable {
    /// The time that a good token is accepted without asking again, in seconds; 60 unless changed.
    ///
    /// A revoked token lives on for as long as this. It never goes beyond the token's own end, where the provider names
    /// one. Zero asks every time.
    public var good: TimeInterval = 60
    /// The time that a token that is not good is refused without asking again, in seconds; 5 unless changed.
    public var notGood: TimeInterval = 5
    /// The maximum number of cached good tokens, and as many again that are not good; 10 000 unless changed.
    public var capacity = 10_000
    /// The maximum number of requests to the provider that may be open at once; 200 unless changed.
    ///
    /// Beyond that, requests with tokens that are not cached are answered with 503.
    public var mostQuestions = 200

    /// The standard limits.
    public init() {}
}
