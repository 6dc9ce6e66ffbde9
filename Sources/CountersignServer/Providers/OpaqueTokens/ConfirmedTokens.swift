internal import Countersign
internal import FoundationEssentialsCompat

/// Asks a provider about each token once, however many clients present it at the same time, and caches the answer, on
/// each node.
///
/// A provider that cannot be asked is no answer, and is not cached.
actor ConfirmedTokens {
    /// The lifetime of a confirmation in the cache, in seconds; a token that was revoked at the provider is accepted
    /// for up to so long.
    static let goodFor: TimeInterval = 60
    /// The lifetime of a refusal in the cache, in seconds.
    static let refusedFor: TimeInterval = 10
    /// The most requests to one provider that are open.
    static let mostOpen = 100

    private enum Verdict: Sendable {
        case confirmed(ConfirmedPerson)
        case refused(ProviderError)
    }

    private var cache: VerdictCache<Verdict>
    private var open: [SecretDigest: Task<Result<ConfirmedPerson, ProviderError>, Never>] = [:]
    private var openAt: [IdentityProvider.ID: Int] = [:]

    /// - Parameter capacity: The maximum number of good tokens in the cache, and the same number of others.
    init(capacity: Int = 10_000) {
        cache = VerdictCache(capacity: capacity)
    }

    /// The number of cached verdicts, those that are too old included.
    var count: Int { cache.count }

    /// The person of a token: from the cache, from a request that is open, or from `ask`.
    ///
    /// - Throws: ``ProviderError``.
    func person(
        of token: String,
        at provider: IdentityProvider,
        now: Date,
        asking ask: @escaping @Sendable () async throws(ProviderError) -> ConfirmedPerson
    ) async throws(ProviderError) -> ConfirmedPerson {
        // One that was removed and added again may have other secrets.
        let digest = SecretDigest(of: "\(provider.id)\n\(provider.created.timeIntervalSince1970)\n\(token)")
        switch cache.verdict(on: digest, at: now) {
        case .confirmed(let person)?: return person
        case .refused(let providerFailure)?: throw providerFailure
        case nil: break
        }
        if let request = open[digest] { return try await request.value.get() }
        guard openAt[provider.id, default: 0] < Self.mostOpen else {
            throw ProviderError(.busy, because: "\(Self.mostOpen) requests to it are open")
        }
        openAt[provider.id, default: 0] += 1
        // A task of its own: the first caller may be cancelled while others wait. The transport's limit ends it.
        let request = Task { await self.settle(digest, at: provider.id, now: now, asking: ask) }
        open[digest] = request
        return try await request.value.get()
    }

    private func settle(
        _ token: SecretDigest,
        at provider: IdentityProvider.ID,
        now: Date,
        asking ask: @Sendable () async throws(ProviderError) -> ConfirmedPerson
    ) async -> Result<ConfirmedPerson, ProviderError> {
        defer {
            open[token] = nil
            let left = openAt[provider, default: 1] - 1
            openAt[provider] = left > 0 ? left : nil
        }
        do throws(ProviderError) {
            let person = try await ask()
            let end = now + Self.goodFor
            let until = person.expires.map { min($0, end) } ?? end
            cache.put(.confirmed(person), isGood: true, on: token, from: now, until: until)
            return .success(person)
        } catch {
            if error.code == .token {
                cache.put(.refused(error), isGood: false, on: token, from: now, until: now + Self.refusedFor)
            }
            return .failure(error)
        }
    }
}
