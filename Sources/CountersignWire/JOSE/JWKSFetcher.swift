package import FoundationEssentialsCompat

/// Fetches an issuer's keys when ``JWKSCache`` says so; all callers that wait share one fetch.
///
/// The caller defines how the keys are fetched and what can fail in that: `Failure` is its error.
/// Standard: RFC 7517 §5.
package actor JWKSFetcher<Failure: Error> {
    private let source: @Sendable () async throws(Failure) -> JSONWebKeySet
    private var cache = JWKSCache()
    private var fetching: Task<Void, Never>?
    private var failure: Failure

    /// Creates a fetcher that has no keys yet.
    ///
    /// - Parameter source: Asks the issuer for its keys. A set of more than ``JWKSCache/mostKeys`` is for it to refuse.
    package init(before failure: Failure, from source: @escaping @Sendable () async throws(Failure) -> JSONWebKeySet) {
        self.failure = failure
        self.source = source
    }

    /// Returns the key that verifies a token; `nil` when the issuer has none like it.
    ///
    /// - Throws: The error of the last fetch, when the issuer cannot be asked for its keys.
    package func key(
        for algorithm: SigningAlgorithm,
        named id: JSONWebKey.ID?,
        at now: Date
    ) async throws(Failure) -> VerificationKey? {
        var step = cache.step(for: algorithm, named: id, at: now)
        if step == .fetch {
            await fetch(at: now)
            step = cache.afterFetching(for: algorithm, named: id, at: now)
        } else if step == .unknown, let fetching {
            // The keys that come now may have it.
            await fetching.value
            step = cache.afterFetching(for: algorithm, named: id, at: now)
        }
        switch step {
        case .use(let key): return key
        case .useAndFetch(let key):
            startFetching(at: now)
            return key
        case .unknown: return nil
        case .unavailable, .fetch: throw failure
        }
    }

    /// Fetches the keys before they grow old, so that no request has to wait for that.
    package func refresh(at now: Date) async { await fetch(at: now) }

    private func fetch(at now: Date) async { await startFetching(at: now).value }

    @discardableResult
    private func startFetching(at now: Date) -> Task<Void, Never> {
        if let fetching { return fetching }
        // An unstructured task: the first caller may be cancelled while others wait.
        let task = Task { await self.settle(at: now) }
        fetching = task
        return task
    }

    private func settle(at now: Date) async {
        defer { fetching = nil }
        do throws(Failure) {
            cache.put(try await source(), at: now)
        } catch {
            failure = error
            cache.noteFailure(at: now)
        }
    }
}
