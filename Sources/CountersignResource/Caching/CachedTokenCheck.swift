internal import Countersign
internal import FoundationEssentialsCompat

/// Asks the provider about each token once, however many requests carry it at the same time, and caches the answer.
actor CachedTokenCheck {
    /// The longest `Retry-After` of a provider that is obeyed, in seconds.
    static let longestRetryAfter: TimeInterval = 60

    private let limits: TokenCacheLimits
    private var cache: TokenCheckCache
    private var open: [SecretDigest: Task<Result<TokenVerdict, TokenCheckError>, Never>] = [:]
    private var retryAfter: Date?

    init(_ limits: TokenCacheLimits) {
        self.limits = limits
        cache = TokenCheckCache(limits)
    }

    /// The verdict on `token` at `now`: from the cache, from a request that is open, or from `ask`.
    func verdict(
        on token: AccessToken,
        at now: Date,
        asking ask: @escaping @Sendable () async throws(TokenCheckError) -> TokenVerdict
    ) async throws(TokenCheckError) -> TokenVerdict {
        let digest = token.digest
        if let known = cache.verdict(on: digest, at: now) { return known }
        if let request = open[digest] { return try await request.value.get() }
        // A longer wait than the longest one was noted before the clock was set back.
        if let wait = retryAfter?.timeIntervalSince(now), wait > 0, wait <= Self.longestRetryAfter {
            let seconds = Int(wait.rounded(.up))
            throw TokenCheckError(.busy, retryAfter: seconds, because: "the provider asked not to be called yet")
        }
        guard open.count < limits.mostQuestions else {
            throw TokenCheckError(.busy, because: "\(open.count) requests to the provider are open")
        }
        // An unstructured task: the first caller may be cancelled while others wait. The transport's limit ends it.
        let request = Task { await self.settle(digest, at: now, asking: ask) }
        open[digest] = request
        return try await request.value.get()
    }

    private func settle(
        _ token: SecretDigest,
        at now: Date,
        asking ask: @Sendable () async throws(TokenCheckError) -> TokenVerdict
    ) async -> Result<TokenVerdict, TokenCheckError> {
        defer { open[token] = nil }
        do throws(TokenCheckError) {
            let verdict = try await ask()
            cache.put(verdict, on: token, asked: now)
            return .success(verdict)
        } catch {
            if let seconds = error.retryAfter, seconds > 0 {
                retryAfter = now + min(TimeInterval(seconds), Self.longestRetryAfter)
            }
            return .failure(error)
        }
    }
}
