/// The records of other hosts on one link, until they expire. All of them are of class IN.
struct RecordCache: Sendable {
    /// The key of records.
    struct Key: Hashable, Sendable {
        /// The owner name of the records.
        let name: DomainName
        let type: RecordType
    }

    /// All records, by name and type.
    private var sets: [Key: RecordSet] = [:]
    /// The keys of PTR records: the lists of instances.
    private var lists: Set<Key> = []
    private var count = 0
    /// The start of the current second, and the number of records evicted in it.
    private var evictions: (since: ContinuousClock.Instant, count: Int)?

    func records(_ name: DomainName, _ type: RecordType) -> [CachedRecord] {
        sets[Key(name: name, type: type)]?.records ?? []
    }

    /// The cached record with the name, the type and the data of `record`.
    func record(like record: ResourceRecord) -> CachedRecord? {
        guard record.recordClass == .internet, let set = sets[Key(name: record.name, type: record.type)],
            let place = set.place(of: record.data)
        else { return nil }
        return set.records[place]
    }

    /// Whether a record that is not cached may be stored: there is room, or more may be evicted in this second.
    func mayTake(_ record: ResourceRecord, at now: ContinuousClock.Instant) -> Bool {
        hasRoom(for: Key(name: record.name, type: record.type)) || evictionsLeft(at: now) > 0
    }

    /// Stores, renews or withdraws a record; returns `false` when it is not cached and there is no room.
    ///
    /// The number of records is bounded. When the cache is full, a new record evicts a PTR record of another host,
    /// with the records that it leads to: of a few that are drawn at random, the one whose sender has the most. A
    /// sender that has PTR records itself evicts only those of a host that has more. PTR records of instances that
    /// have answered are never evicted.
    @discardableResult
    mutating func take(
        _ record: ResourceRecord,
        from sender: [UInt8],
        jitter: Jitter,
        at now: ContinuousClock.Instant
    ) -> Bool {
        let key = Key(name: record.name, type: record.type)
        if record.isUnique { sets[key]?.flush(from: sender, except: record.data, at: now) }
        if let place = sets[key]?.place(of: record.data) {
            if record.lifetime == 0 {
                sets[key]?.update(at: place) { $0.leave(at: now) }
            } else {
                renew(place, of: key, as: record, from: sender, jitter: jitter, at: now)
            }
            return true
        }
        guard record.lifetime > 0, hasRoom(for: key) || makeRoom(for: key, from: sender, jitter: jitter, at: now)
        else { return false }
        // A sender that changes its record keeps the age of the earlier one.
        let alike = key.type == .ptr ? [] : records(key.name, key.type).filter { $0.sender == sender }
        let fresh = CachedRecord(
            record, from: sender, since: alike.map(\.since).min(), jitter: jitter.fraction * 0.02, at: now)
        sets[key, default: RecordSet()].append(fresh)
        if key.type == .ptr { lists.insert(key) }
        count += 1
        return true
    }

    /// Records that a link to an instance got an answer, so that its PTR records are never evicted.
    mutating func confirm(_ instance: DomainName) {
        for list in lists {
            guard let place = sets[list]?.place(of: .pointer(instance)) else { continue }
            sets[list]?.update(at: place) { $0.isConfirmed = true }
        }
    }

    /// Records that another host sent `question` by multicast, with `answers` as known answers.
    mutating func noteAskedByAnother(
        _ question: Question,
        knowing answers: KnownAnswers,
        at now: ContinuousClock.Instant
    ) {
        let types = question.type == .any ? RecordType.cached : [question.type]
        for type in types {
            sets[Key(name: question.name, type: type)]?.noteAskedByAnother(question, knowing: answers, at: now)
        }
    }

    /// Removes expired records, and returns the ones that were not withdrawn.
    mutating func forgetExpired(at now: ContinuousClock.Instant) -> [CachedRecord] {
        let keys = keys { $0.expires <= now }
        return keys.flatMap { remove(from: $0) { $0.expires <= now } }.filter { !$0.isLeaving }
    }

    /// Removes at once the records that `isOver` returns true for.
    mutating func forget(where isOver: (ResourceRecord) -> Bool) {
        for key in keys(where: { isOver($0.record) }) { _ = remove(from: key) { isOver($0.record) } }
    }

    /// The earliest expiry of a record.
    var nextExpiry: ContinuousClock.Instant? { sets.values.lazy.flatMap(\.records).map(\.expires).min() }

    /// The earliest refresh of a record.
    var nextRefresh: ContinuousClock.Instant? { sets.values.lazy.flatMap(\.records).compactMap(\.refresh).min() }

    /// Records the refreshes that are due now, and returns their keys. Too early queries are postponed.
    ///
    /// - Parameter barred: The keys that were queried for just now, and when they may be queried for again.
    mutating func refreshing(
        at now: ContinuousClock.Instant,
        exceptBefore barred: [Key: ContinuousClock.Instant]
    ) -> [Key] {
        let isDue = { (record: CachedRecord) in record.refresh.map { $0 <= now } ?? false }
        let due = keys(where: isDue)
        for key in due {
            sets[key]?.updateAll { record in
                guard isDue(record) else { return }
                if let allowed = barred[key] {
                    record.postponeRefresh(to: allowed)
                } else {
                    record.noteRefresh(at: now)
                }
            }
        }
        return due.filter { barred[$0] == nil }
    }
}

extension RecordCache {
    /// Renews a record that was received again.
    ///
    /// A host may send the same record from several addresses, and their packets arrive in any order. So the record
    /// keeps the sender and the age that it has. When it comes from the sender of the oldest record of its name and
    /// type, it takes the sender and the age of that one; except PTR records, which many hosts send for one name.
    private mutating func renew(
        _ place: Int,
        of key: Key,
        as record: ResourceRecord,
        from sender: [UInt8],
        jitter: Jitter,
        at now: ContinuousClock.Instant
    ) {
        guard let first = sets[key]?.records[place] else { return }
        let oldest = key.type == .ptr ? nil : oldest(of: key)
        let owner = oldest?.sender == sender ? oldest : nil
        var renewed = CachedRecord(
            record, from: owner?.sender ?? first.sender, since: owner?.since ?? first.since,
            jitter: jitter.fraction * 0.02, at: now)
        renewed.isConfirmed = first.isConfirmed
        sets[key]?.replace(at: place, with: renewed)
    }

    /// The first received record of a name and type that was not withdrawn.
    private func oldest(of key: Key) -> CachedRecord? {
        records(key.name, key.type).filter { !$0.isLeaving }.min { $0.since < $1.since }
    }

    /// Whether there is room for another record of a name and type.
    private func hasRoom(for key: Key) -> Bool {
        count < Self.mostRecords && sets[key]?.count ?? 0 < Self.most(of: key.type)
    }

    /// The number of records that may still be evicted in this second.
    private func evictionsLeft(at now: ContinuousClock.Instant) -> Int {
        guard let evictions, now < evictions.since + .seconds(1) else { return Self.mostEvictions }
        return Self.mostEvictions - evictions.count
    }

    /// Evicts a PTR record of another host than `sender`, with the records that it leads to; returns whether it found
    /// one.
    private mutating func makeRoom(
        for key: Key,
        from sender: [UInt8],
        jitter: Jitter,
        at now: ContinuousClock.Instant
    ) -> Bool {
        let isListFull = sets[key]?.count ?? 0 >= Self.most(of: key.type)
        guard !isListFull || key.type == .ptr, evictionsLeft(at: now) > 0 else { return false }
        let largest = lists.max { sets[$0]?.count ?? 0 < sets[$1]?.count ?? 0 }
        guard let list = isListFull ? key : largest,
            let place = sets[list]?.placeToGive(to: sender, jitter: jitter),
            let evicted = sets[list]?.remove(at: place)
        else { return false }
        if evictionsLeft(at: now) == Self.mostEvictions { evictions = (since: now, count: 0) }
        evictions?.count += 1
        count -= 1
        forgetIfEmpty(list)
        forgetDetails(of: evicted)
        return true
    }

    /// Removes the records that a PTR record leads to, and the addresses that its sender has announced.
    private mutating func forgetDetails(of evicted: CachedRecord) {
        guard let instance = evicted.record.target else { return }
        let hosts = records(instance, .srv).compactMap(\.record.location?.host)
        _ = remove(from: Key(name: instance, type: .srv)) { _ in true }
        _ = remove(from: Key(name: instance, type: .txt)) { _ in true }
        for host in hosts {
            for type in [RecordType.a, .aaaa] {
                _ = remove(from: Key(name: host, type: type)) { $0.sender == evicted.sender }
            }
        }
    }

    /// Removes records of one name and type.
    private mutating func remove(from key: Key, where isOver: (CachedRecord) -> Bool) -> [CachedRecord] {
        let gone = sets[key]?.removeAll(where: isOver) ?? []
        count -= gone.count
        forgetIfEmpty(key)
        return gone
    }

    /// The names and types that have such a record.
    private func keys(where matches: (CachedRecord) -> Bool) -> [Key] {
        sets.compactMap { $0.value.records.contains(where: matches) ? $0.key : nil }
    }

    /// Removes the set of a name and type that has no records any more.
    private mutating func forgetIfEmpty(_ key: Key) {
        guard sets[key]?.isEmpty == true else { return }
        sets[key] = nil
        lists.remove(key)
    }

    /// The largest number of records of one name: PTR records, or records of another type.
    private static func most(of type: RecordType) -> Int { type == .ptr ? 1000 : 16 }
    /// The largest number of records of one link, so that no sender can use up the memory.
    private static let mostRecords = 4096
    /// The maximum number of records evicted in a second.
    private static let mostEvictions = 1000
}

extension RecordType {
    fileprivate static let cached: [RecordType] = [.ptr, .srv, .txt, .a, .aaaa]
}
