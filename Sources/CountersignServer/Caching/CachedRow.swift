/// A row with a cached look-up.
///
/// To cache another look-up: conform its row here, give it a table and a capacity in ``RowCache``, which also removes
/// what a change makes stale, and let its repository in `CachedRepositories.swift` ask ``CacheAccess/find(_:_:)``.
protocol CachedRow: Sendable {
    associatedtype Key: Hashable & Sendable

    /// The key of its look-up.
    var cacheKey: Key { get }

    /// Whether a cached row may be combined with newly read rows: true for clients and people, false for rows that must
    /// be consistent, such as a request and its tokens.
    static var standsAlone: Bool { get }

    /// Whether it is stale; `wasNoted` returns whether a change was noted after its read.
    func isStale(since wasNoted: (StoreChange) -> Bool) -> Bool

    /// Calls `use` with the cache table that holds rows of this type.
    static func table<Result>(in cache: inout RowCache, _ use: (inout RowCache.Table<Key, Self>) -> Result) -> Result
}

extension CachedRow {
    static var standsAlone: Bool { false }
}

extension Client: CachedRow {
    static var standsAlone: Bool { true }

    var cacheKey: ClientID { id }

    func isStale(since wasNoted: (StoreChange) -> Bool) -> Bool { wasNoted(.client(id)) }

    static func table<Result>(
        in cache: inout RowCache, _ use: (inout RowCache.Table<ClientID, Client>) -> Result
    ) -> Result {
        use(&cache.clients)
    }
}

extension Person: CachedRow {
    static var standsAlone: Bool { true }

    var cacheKey: Subject { subject }

    func isStale(since wasNoted: (StoreChange) -> Bool) -> Bool { wasNoted(.person(subject)) }

    static func table<Result>(
        in cache: inout RowCache, _ use: (inout RowCache.Table<Subject, Person>) -> Result
    ) -> Result {
        use(&cache.people)
    }
}

/// The groups that a person is a member of themselves; none is a row, too.
struct CachedMemberships: CachedRow {
    let subject: Subject
    let groups: [GroupName]

    static var standsAlone: Bool { true }

    var cacheKey: Subject { subject }

    func isStale(since wasNoted: (StoreChange) -> Bool) -> Bool { wasNoted(.person(subject)) || wasNoted(.groups) }

    static func table<Result>(
        in cache: inout RowCache, _ use: (inout RowCache.Table<Subject, CachedMemberships>) -> Result
    ) -> Result {
        use(&cache.memberships)
    }
}

/// The key of the only row of its table.
enum SingleRowKey: Hashable, Sendable { case only }

/// The hierarchy of all groups, as one row.
struct CachedHierarchy: CachedRow {
    let hierarchy: GroupHierarchy

    static var standsAlone: Bool { true }

    var cacheKey: SingleRowKey { .only }

    func isStale(since wasNoted: (StoreChange) -> Bool) -> Bool { wasNoted(.groups) }

    static func table<Result>(
        in cache: inout RowCache, _ use: (inout RowCache.Table<SingleRowKey, CachedHierarchy>) -> Result
    ) -> Result {
        use(&cache.hierarchies)
    }
}

/// All declared claims, as one row.
struct CachedClaims: CachedRow {
    let mappings: [ClaimMapping]

    static var standsAlone: Bool { true }

    var cacheKey: SingleRowKey { .only }

    func isStale(since wasNoted: (StoreChange) -> Bool) -> Bool { wasNoted(.claims) }

    static func table<Result>(
        in cache: inout RowCache, _ use: (inout RowCache.Table<SingleRowKey, CachedClaims>) -> Result
    ) -> Result {
        use(&cache.claims)
    }
}

extension ServiceDomain: CachedRow {
    var cacheKey: Domain { name }

    func isStale(since wasNoted: (StoreChange) -> Bool) -> Bool { wasNoted(.domain(name)) }

    static func table<Result>(
        in cache: inout RowCache, _ use: (inout RowCache.Table<Domain, ServiceDomain>) -> Result
    ) -> Result {
        use(&cache.domains)
    }
}

/// Maps a credential digest to a domain name. The caller must check that the domain still has this credential.
struct CachedDomainName: CachedRow {
    let credential: SecretDigest
    let name: Domain

    var cacheKey: SecretDigest { credential }

    func isStale(since wasNoted: (StoreChange) -> Bool) -> Bool { false }

    static func table<Result>(
        in cache: inout RowCache, _ use: (inout RowCache.Table<SecretDigest, CachedDomainName>) -> Result
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
        in cache: inout RowCache, _ use: (inout RowCache.Table<SecretDigest, AccessTokenRecord>) -> Result
    ) -> Result {
        use(&cache.accessTokens)
    }
}

extension SignInExchangeRecord: CachedRow {
    var cacheKey: SecretDigest { requestCode }

    func isStale(since wasNoted: (StoreChange) -> Bool) -> Bool { wasNoted(.exchange(id, requestCode: requestCode)) }

    static func table<Result>(
        in cache: inout RowCache, _ use: (inout RowCache.Table<SecretDigest, SignInExchangeRecord>) -> Result
    ) -> Result {
        use(&cache.exchanges)
    }
}
