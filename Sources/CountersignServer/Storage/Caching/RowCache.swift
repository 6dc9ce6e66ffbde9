internal import Countersign

/// Rows of the store as they were last read or added, each until the store notifies that it changed.
///
/// That a row is missing from the store is not cached, so a new row is seen at once. What is cached, and when it is
/// stale, each kind of row says itself: ``CachedRow``.
struct RowCache: Sendable {
    /// How many rows of each kind are kept at least while they are in use; at most twice as many.
    struct Capacities: Sendable {
        /// Half a kilobyte each.
        var clients = 5_000
        /// Half a kilobyte each.
        var people = 20_000
        /// Half a kilobyte each.
        var domains = 2_000
        /// Two thirds of a kilobyte each.
        var accessTokens = 25_000
        /// A kilobyte each.
        var exchanges = 100_000
        /// How many changes are known, to tell whether a row that arrives is stale.
        var changes = 20_000
    }

    typealias Moment = RecentInvalidations.Moment

    /// A row, and the moment up to which the changes are in it.
    struct Entry<Row: Sendable>: Sendable {
        let row: Row
        let asOf: Moment
    }

    typealias Table<Key: Hashable & Sendable, Row: Sendable> = TwoGenerationCache<Key, Entry<Row>>

    var clients: Table<ClientID, Client>
    var people: Table<Subject, Person>
    var domains: Table<Domain, ServiceDomain>
    var domainNames: Table<SecretDigest, DomainName>
    var accessTokens: Table<SecretDigest, AccessTokenRecord>
    var exchanges: Table<SecretDigest, StoredExchange>

    /// How often the store has notified of changes.
    private(set) var moment: Moment = 0
    /// Whether the store can notify of changes. While it cannot, nothing may be answered from here.
    private(set) var isCurrent = true
    /// Changes of one row each, which was removed from its table.
    private var changesOfRows: RecentInvalidations
    /// Changes that make any number of rows stale. These are not searched for: each is checked when it is used.
    private var changesOfMany: RecentInvalidations

    init(_ capacities: Capacities = Capacities()) {
        clients = Table(capacity: capacities.clients)
        people = Table(capacity: capacities.people)
        domains = Table(capacity: capacities.domains)
        domainNames = Table(capacity: capacities.domains)
        accessTokens = Table(capacity: capacities.accessTokens)
        exchanges = Table(capacity: capacities.exchanges)
        changesOfRows = RecentInvalidations(capacity: capacities.changes)
        changesOfMany = RecentInvalidations(capacity: capacities.changes)
    }

    /// How many rows are kept.
    var count: Int { clients.count + people.count + domains.count + accessTokens.count + exchanges.count }

    /// The cached row of a key.
    mutating func find<Row: CachedRow>(_ key: Row.Key, as _: Row.Type = Row.self) -> Row? {
        guard let entry = Row.table(in: &self, { $0.use(key) }) else { return nil }
        // Most rows were read after the last of these changes.
        if entry.asOf < changesOfMany.latest,
            entry.row.isStale(since: { changesOfMany.contains($0, after: entry.asOf) })
        {
            Row.table(in: &self) { $0.remove(key) }
            return nil
        }
        return entry.row
    }

    /// Caches a row that was read from a state at `moment` or later, or added after it, unless it changed since.
    mutating func put<Row: CachedRow>(_ row: Row, asOf moment: Moment) {
        let isStale = row.isStale { change in
            changesOfRows.contains(change, after: moment) || changesOfMany.contains(change, after: moment)
        }
        guard isCurrent, !isStale else { return }
        Row.table(in: &self) { _ = $0.put(Entry(row: row, asOf: moment), for: row.cacheKey) }
    }

    /// Takes in the changes of which the store notifies.
    mutating func invalidate(_ changes: [StoreChange]) {
        moment += 1
        for change in changes { invalidate(change) }
    }

    private mutating func invalidate(_ change: StoreChange) {
        switch change {
        case .client(let id): clients.remove(id)
        case .person(let subject): people.remove(subject)
        case .domain(let name): domains.remove(name)
        case .exchange(_, deviceCode: let digest): exchanges.remove(digest)
        case .accessToken(let digest): accessTokens.remove(digest)
        case .tokensOfGrant, .tokensOfClient:
            changesOfMany.note(change, at: moment)
            return
        case .serverKeys: return
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
        domains.removeAll()
        domainNames.removeAll()
        accessTokens.removeAll()
        exchanges.removeAll()
        changesOfRows.noteEverything(at: moment)
        changesOfMany.noteEverything(at: moment)
    }
}

/// The changes that were noted lately, and when, so that a row that was read before a change is not cached after it.
///
/// The number of changes is bounded. About earlier ones the answer is yes: it is better to leave out a good row than to
/// cache a stale one.
struct RecentInvalidations: Sendable {
    /// Counts the notes of changes; the only clock here.
    typealias Moment = UInt64

    private var moments: TwoGenerationCache<StoreChange, Moment>
    /// Before this moment everything counts as changed.
    private var horizon: Moment = 0
    private var lastTurn: Moment = 0
    /// The moment of the last change.
    private(set) var latest: Moment = 0

    init(capacity: Int) {
        moments = TwoGenerationCache(capacity: capacity)
    }

    mutating func note(_ change: StoreChange, at moment: Moment) {
        latest = moment
        // When the older generation is dropped, so is what was noted before the drop before this one.
        if moments.put(moment, for: change) {
            horizon = lastTurn
            lastTurn = moment
        }
    }

    /// Notes that everything may have changed.
    mutating func noteEverything(at moment: Moment) {
        moments.removeAll()
        (horizon, lastTurn, latest) = (moment, moment, moment)
    }

    /// Whether a change was noted after `moment`, or may have been.
    func contains(_ change: StoreChange, after moment: Moment) -> Bool {
        if moment < horizon { return true }
        guard moment < latest, let noted = moments.peek(change) else { return false }
        return moment < noted
    }
}
