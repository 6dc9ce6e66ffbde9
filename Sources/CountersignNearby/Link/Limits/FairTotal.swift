/// A total in parts, shared fairly among keys: when it is used up, the key with the most gives way first.
///
/// The load of a key is its share and the number of its recent visits, so that a frequent one is no newcomer. It is a
/// value without I/O, and its size does not grow with the number of keys that come.
struct FairTotal<Key: Hashable & Sendable, ID: Hashable & Sendable>: Sendable {
    /// The decision about a key that requests a part.
    enum Admission: Sendable, Equatable {
        /// It has one; these lose theirs.
        case admitted(evicting: [ID])
        /// All others come before it.
        case refused
    }

    /// A part that is held.
    private struct Part: Sendable {
        /// The identifier of the part.
        let id: ID
        let key: Key
        /// Whether it gives way to others.
        var givesWay = true
    }

    /// The number of times that a key came lately.
    private struct Visits: Sendable {
        /// The start of the span that is counted.
        var since: ContinuousClock.Instant
        /// The number of visits in that span.
        var count = 0
        /// The number of visits in the span before.
        var earlier = 0

        /// The number of visits in both spans, as seen now.
        func total(at now: ContinuousClock.Instant, within span: Duration) -> Int {
            now < since + span ? count + earlier : now < since + span * 2 ? count : 0
        }
    }

    /// The parts, the oldest first.
    private var parts: [Part] = []
    /// The visits of keys; beyond 1,024 keys, those with one visit are removed first.
    private var visits = SecondChanceCache<Key, Visits>(capacity: 1024)
    /// The number of parts, held and free.
    private let total: Int
    /// The minimum time that a visit counts; twice as long at most.
    private let span: Duration

    /// A total whose parts are all free.
    init(of total: Int, countingWithin span: Duration) {
        self.total = total
        self.span = span
    }

    /// Gives a part to a key: a free one, or the oldest of the key with the largest load, unless its own is larger.
    ///
    /// The oldest gives way and not the newest, so that what takes a moment, as an honest handshake does, has that
    /// moment even if there are more keys than parts.
    mutating func admit(_ id: ID, of key: Key, at now: ContinuousClock.Instant) -> Admission {
        visit(key, at: now)
        var evicted: [ID] = []
        if parts.count >= total {
            var loads = parts.reduce(into: [key: 0]) { counts, part in counts[part.key, default: 0] += 1 }
            for key in loads.keys { loads[key, default: 0] += visitCount(of: key, at: now) }
            let weights = parts.map { $0.givesWay ? loads[$0.key] ?? 0 : 0 }
            guard let most = weights.max(), most >= loads[key] ?? 0, let place = weights.firstIndex(of: most) else {
                return .refused
            }
            evicted = [parts.remove(at: place).id]
        }
        parts.append(Part(id: id, key: key))
        return .admitted(evicting: evicted)
    }

    private mutating func visit(_ key: Key, at now: ContinuousClock.Instant) {
        var visited = visits.use(key) ?? Visits(since: now)
        if visited.since + span <= now { visited = Visits(since: now, earlier: visited.total(at: now, within: span)) }
        visited.count += 1
        visits.put(visited, for: key)
    }

    /// It no longer gives way, since it has got further than others, which few do.
    mutating func settle(_ id: ID) {
        for index in parts.indices where parts[index].id == id { parts[index].givesWay = false }
    }

    /// Its part is free.
    mutating func release(_ id: ID) { parts.removeAll { $0.id == id } }

    /// Whether it has a part.
    func holds(_ id: ID) -> Bool { parts.contains { $0.id == id } }

    /// The number of parts that are held.
    var count: Int { parts.count }

    /// The load of a key: the number of parts that it holds, and of its visits lately.
    func load(of key: Key, at now: ContinuousClock.Instant) -> Int {
        parts.count { $0.key == key } + visitCount(of: key, at: now)
    }

    private func visitCount(of key: Key, at now: ContinuousClock.Instant) -> Int {
        visits.peek(key)?.total(at: now, within: span) ?? 0
    }
}
