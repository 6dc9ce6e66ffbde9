internal import Countersign

/// A row that is looked up so often that it is cached.
///
/// To cache another look-up: conform its row here, give it a table and a capacity in ``RowCache``, which also removes
/// what a change makes stale, and let its repository in `CachedRepositories.swift` ask ``LookUpPass/find(_:_:)``.
protocol CachedRow: Sendable {
    associatedtype Key: Hashable & Sendable

    /// The key by which it is looked up.
    var cacheKey: Key { get }

    /// Whether it is stale, `wasNoted` telling whether a change was noted since the row was read.
    func isStale(since wasNoted: (StoreChange) -> Bool) -> Bool

    /// Uses the table of a cache that has these rows.
    static func table<Result>(
        in cache: inout RowCache,
        _ use: (inout RowCache.Table<Key, Self>) -> Result
    ) -> Result
}

extension Client: CachedRow {
    var cacheKey: ClientID { id }

    func isStale(since wasNoted: (StoreChange) -> Bool) -> Bool { wasNoted(.client(id)) }

    static func table<Result>(
        in cache: inout RowCache,
        _ use: (inout RowCache.Table<ClientID, Client>) -> Result
    ) -> Result {
        use(&cache.clients)
    }
}

extension Person: CachedRow {
    var cacheKey: Subject { subject }

    func isStale(since wasNoted: (StoreChange) -> Bool) -> Bool { wasNoted(.person(subject)) }

    static func table<Result>(
        in cache: inout RowCache,
        _ use: (inout RowCache.Table<Subject, Person>) -> Result
    ) -> Result {
        use(&cache.people)
    }
}

extension ServiceDomain: CachedRow {
    var cacheKey: Domain { name }

    func isStale(since wasNoted: (StoreChange) -> Bool) -> Bool { wasNoted(.domain(name)) }

    static func table<Result>(
        in cache: inout RowCache,
        _ use: (inout RowCache.Table<Domain, ServiceDomain>) -> Result
    ) -> Result {
        use(&cache.domains)
    }
}

/// Under which name the domain of a credential was cached last. Only the domain itself tells whether it still has it.
struct DomainName: CachedRow {
    let credential: SecretDigest
    let name: Domain

    var cacheKey: SecretDigest { credential }

    func isStale(since wasNoted: (StoreChange) -> Bool) -> Bool { false }

    static func table<Result>(
        in cache: inout RowCache,
        _ use: (inout RowCache.Table<SecretDigest, DomainName>) -> Result
    ) -> Result {
        use(&cache.domainNames)
    }
}

extension AccessTokenRecord: CachedRow {
    var cacheKey: SecretDigest { token }

    func isStale(since wasNoted: (StoreChange) -> Bool) -> Bool {
        if wasNoted(.accessToken(token)) || wasNoted(.tokensOfClient(client)) { return true }
        return grant.map { wasNoted(.tokensOfGrant($0)) } ?? false
    }

    static func table<Result>(
        in cache: inout RowCache,
        _ use: (inout RowCache.Table<SecretDigest, AccessTokenRecord>) -> Result
    ) -> Result {
        use(&cache.accessTokens)
    }
}

extension StoredExchange: CachedRow {
    var cacheKey: SecretDigest { deviceCode }

    func isStale(since wasNoted: (StoreChange) -> Bool) -> Bool { wasNoted(.exchange(id, deviceCode: deviceCode)) }

    static func table<Result>(
        in cache: inout RowCache,
        _ use: (inout RowCache.Table<SecretDigest, StoredExchange>) -> Result
    ) -> Result {
        use(&cache.exchanges)
    }
}
