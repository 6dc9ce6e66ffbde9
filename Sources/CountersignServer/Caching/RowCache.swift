/// A cache of rows, each until the store announces its change.
///
/// Missing rows are not cached, so a new row is visible immediately. ``CachedRow`` declares the cached kinds of rows.
struct RowCache: Sendable {
    /// The maximum number of rows in each table.
    struct Capacities: Sendable {
        /// Half a kilobyte each.
        var clients = 10_000
        /// Half a kilobyte each.
        var people = 40_000
        /// A quarter of a kilobyte each.
        var memberships = 40_000
        /// Half a kilobyte each.
        var domains = 4_000
        /// Two thirds of a kilobyte each.
        var accessTokens = 50_000
        /// A kilobyte each.
        var exchanges = 150_000
        /// The maximum number of recent changes, which reveal stale rows.
        var changes = 40_000
    }

    typealias Moment = RecentInvalidations.Moment

    /// A row, and the moment of its last included change.
    struct Entry<Row: Sendable>: Sendable {
        let row: Row
        let asOf: Moment
    }

    typealias Table<Key: Hashable & Sendable, Row: Sendable> = SecondChanceCache<Key, Entry<Row>>

    var clients: Table<ClientID, Client>
    var people: Table<Subject, Person>
    var memberships: Table<Subject, CachedMemberships>
    var hierarchies: Table<SingleRowKey, CachedHierarchy>
    var claims: Table<SingleRowKey, CachedClaims>
    var domains: Table<Domain, ServiceDomain>
    var domainNames: Table<SecretDigest, CachedDomainName>
    var accessTokens: Table<SecretDigest, AccessTokenRecord>
    var exchanges: Table<SecretDigest, SignInExchangeRecord>

    /// The number of the store's announcements of changes.
    private(set) var moment: Moment = 0
    /// Whether the store can announce changes; otherwise the cache is not used.
    private(set) var isCurrent = true
    /// Changes of one row each; the row was removed from its table.
    private var changesOfRows: RecentInvalidations
    /// Changes that make many rows stale; each row is checked at its use.
    private var changesOfMany: RecentInvalidations

    init(_ capacities: Capacities = Capacities()) {
        clients = Table(capacity: capacities.clients)
        people = Table(capacity: capacities.people)
        memberships = Table(capacity: capacities.memberships)
        hierarchies = Table(capacity: 1)
        claims = Table(capacity: 1)
        domains = Table(capacity: capacities.domains)
        domainNames = Table(capacity: capacities.domains)
        accessTokens = Table(capacity: capacities.accessTokens)
        exchanges = Table(capacity: capacities.exchanges)
        changesOfRows = RecentInvalidations(capacity: capacities.changes)
        changesOfMany = RecentInvalidations(capacity: capacities.changes)
    }

    /// The number of cached rows.
    var count: Int {
        clients.count + people.count + memberships.count + domains.count + accessTokens.count + exchanges.count
    }

    /// The cached row of a key.
    mutating func find<Row: CachedRow>(_ key: Row.Key, as _: Row.Type = Row.self) -> Row? {
        guard let entry = Row.table(in: &self, { $0.use(key) }) else { return nil }
        // Most rows were read after the last such change.
        if entry.asOf < changesOfMany.latest,
            entry.row.isStale(since: { changesOfMany.contains($0, after: entry.asOf) })
        {
            Row.table(in: &self) { $0.remove(key) }
            return nil
        }
        return entry.row
    }

    /// Caches a row from `moment` or later, unless it changed since.
    ///
    /// - Returns: The displaced row, which the caller should free outside the lock of the cache.
    @discardableResult
    mutating func put<Row: CachedRow>(_ row: Row, asOf moment: Moment) -> (any Sendable)? {
        let isStale = row.isStale { change in
            changesOfRows.contains(change, after: moment) || changesOfMany.contains(change, after: moment)
        }
        guard isCurrent, !isStale else { return nil }
        return Row.table(in: &self) { $0.put(Entry(row: row, asOf: moment), for: row.cacheKey) }
    }

    /// Applies the changes that the store announces.
    ///
    /// - Returns: The previous cache, if all rows were dropped, which the caller must free outside the lock of the
    ///   cache.
    @discardableResult
    mutating func invalidate(_ changes: [StoreChange]) -> RowCache? {
        moment += 1
        let dropsAll = changes.contains { $0 == .anything || $0 == .notificationsLost }
        let before = dropsAll ? self : nil
        for change in changes { invalidate(change) }
        return before
    }

    private mutating func invalidate(_ change: StoreChange) {
        switch change {
        case .client(let id): clients.remove(id)
        case .person(let subject):
            people.remove(subject)
            memberships.remove(subject)
        case .domain(let name): domains.remove(name)
        case .exchange(_, requestCode: let digest): exchanges.remove(digest)
        case .accessToken(let digest): accessTokens.remove(digest)
        case .tokensOfGrant, .tokensOfClient, .groups, .claims:
            changesOfMany.note(change, at: moment)
            return
        case .serverKeys, .inbox: return
        case .anything, .notificationsLost:
            removeAll()
            isCurrent = change == .anything
            return
        }
        changesOfRows.note(change, at: moment)
    }

    private mutating func removeAll() {
        clients.removeAll()
        people.removeAll()
        memberships.removeAll()
        hierarchies.removeAll()
        claims.removeAll()
        domains.removeAll()
        domainNames.removeAll()
        accessTokens.removeAll()
        exchanges.removeAll()
        changesOfRows.noteEverything(at: moment)
        changesOfMany.noteEverything(at: moment)
    }
}

/// Recent changes with their moments, so that no row from before a change is cached after it.
///
/// The number of changes is bounded. For earlier moments every row counts as changed.
struct RecentInvalidations: Sendable {
    /// A logical time: the number of announcements so far.
    typealias Moment = UInt64

    private var moments: SecondChanceCache<StoreChange, Moment>
    /// Before this moment everything counts as changed.
    private var horizon: Moment = 0
    /// The moment of the last change.
    private(set) var latest: Moment = 0

    init(capacity: Int) {
        moments = SecondChanceCache(capacity: capacity)
    }

    mutating func note(_ change: StoreChange, at moment: Moment) {
        latest = moment
        if let forgotten = moments.put(moment, for: change) { horizon = max(horizon, forgotten.value) }
    }

    /// Notes that everything may have changed.
    mutating func noteEverything(at moment: Moment) {
        moments.removeAll()
        (horizon, latest) = (moment, moment)
    }

    /// Whether a change was noted after `moment`, or may have been.
    func contains(_ change: StoreChange, after moment: Moment) -> Bool {
        if moment < horizon { return true }
        guard moment < latest, let noted = moments.peek(change) else { return false }
        return moment < noted
    }
}
