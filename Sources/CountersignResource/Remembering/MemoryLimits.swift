#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How much of what a provider said is remembered, and for how long.
public struct MemoryLimits: Sendable, Equatable {
    /// How long a good token counts without asking again, in seconds: so long may a token live on that was revoked. Never
    /// beyond the token's own end, where the provider names one. Zero asks every time.
    public var good: TimeInterval = 60
    /// How long a token that is not good is refused without asking again, in seconds.
    public var notGood: TimeInterval = 5
    /// How many good tokens are remembered, and as many again that are not.
    public var capacity = 10_000
    /// How many questions may be open at once. Beyond that, tokens that are not remembered are answered with 503.
    public var mostQuestions = 200

    public init() {}
}
