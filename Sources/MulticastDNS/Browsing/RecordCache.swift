/// The records of other hosts on one link, until they expire.
struct RecordCache: Sendable {
    /// The key of records.
    struct Key: Hashable, Sendable {
        /// The owner name of the records.
        let name: DomainName
        /// The type of the records.
        let type: RecordType
    }

    /// All records, by name and type.
    private var records: [Key: [CachedRecord]] = [:]
    /// How many records there are in all.
    private var count = 0

    /// The records of a name and type, in the order in which they came.
    ///
    /// - Parameters:
    ///   - name: The name that is meant.
    ///   - type: The type that is meant.
    func records(_ name: DomainName, _ type: RecordType) -> [CachedRecord] {
        records[Key(name: name, type: type)] ?? []
    }

    /// Stores a record. The number of records is bounded; beyond it new ones are ignored, except that a host that has sent
    /// few PTR records of a name gets a place of the one that has sent most.
    ///
    /// - Parameters:
    ///   - record: The record that is meant.
    ///   - sender: The address of the host that sent it.
    ///   - jitter: Draws the delays.
    ///   - now: The instant at which this happens.
    mutating func take(
        _ record: ResourceRecord,
        from sender: [UInt8],
        jitter: Double,
        at now: ContinuousClock.Instant
    ) {
        let key = Key(name: record.name, type: record.type)
        var known = records[key] ?? []
        let index = known.firstIndex { $0.record.saysTheSame(as: record) }
        if record.isUnique {
            // Older records get a second, since the records of one name may arrive in several packets. Only those of the
            // same sender are replaced: no other host can take away what is known.
            for other in known.indices
            where other != index && known[other].sender == sender && known[other].received + .seconds(1) < now {
                known[other].leave(at: now)
            }
        }
        if record.lifetime == 0 {
            if let index { known[index].leave(at: now) }
        } else if let index {
            // A record keeps its first sender: a host may send it from several addresses. What the owner of the oldest
            // record confirms becomes the owner's, since the same host's packets from two addresses come in any order.
            let first = known[index]
            let oldest = known.filter { !$0.isLeaving }.min { $0.since < $1.since }
            let owner = oldest?.sender == sender ? oldest : nil
            known[index] = CachedRecord(
                record, from: owner?.sender ?? first.sender, since: owner?.since ?? first.since, jitter: jitter,
                at: now)
        } else if known.count < Self.most(of: record.type), count < Self.mostRecords {
            // What replaces a record of the same sender is as old as that.
            let since = known.filter { $0.sender == sender }.map(\.since).min()
            known.append(CachedRecord(record, from: sender, since: since, jitter: jitter, at: now))
            count += 1
        } else if record.type == .ptr, let place = Self.place(for: sender, in: known) {
            known.remove(at: place)
            known.append(CachedRecord(record, from: sender, jitter: jitter, at: now))
        }
        records[key] = known.isEmpty ? nil : known
    }

    /// Another host sent `question` by multicast, with `answers` as known answers.
    ///
    /// - Parameters:
    ///   - question: The question that is asked.
    ///   - answers: The records that answer.
    ///   - now: The instant at which this happens.
    mutating func noteAskedByAnother(
        _ question: Question,
        knowing answers: KnownAnswers,
        at now: ContinuousClock.Instant
    ) {
        let types = question.type == .any ? RecordType.cached : [question.type]
        for key in types.map({ Key(name: question.name, type: $0) }) {
            for index in (records[key] ?? []).indices {
                guard let record = records[key]?[index].record, question.isAnswered(by: record),
                    !answers.contains(record)
                else { continue }
                records[key]?[index].noteAskedByAnother(at: now)
            }
        }
    }

    /// Removes expired records, and returns those that were not withdrawn.
    ///
    /// - Parameter now: The instant at which this happens.
    mutating func forgetExpired(at now: ContinuousClock.Instant) -> [CachedRecord] {
        var silent: [CachedRecord] = []
        for (key, known) in records where known.contains(where: { $0.expires <= now }) {
            let rest = known.filter { $0.expires > now }
            silent += known.filter { $0.expires <= now && !$0.isLeaving }
            count -= known.count - rest.count
            records[key] = rest.isEmpty ? nil : rest
        }
        return silent
    }

    /// Removes at once the records for which `isOver` returns true.
    mutating func forget(where isOver: (ResourceRecord) -> Bool) {
        for (key, known) in records {
            let rest = known.filter { !isOver($0.record) }
            guard rest.count < known.count else { continue }
            count -= known.count - rest.count
            records[key] = rest.isEmpty ? nil : rest
        }
    }

    /// When the next record expires.
    var nextExpiry: ContinuousClock.Instant? {
        records.values.lazy.flatMap { $0 }.map(\.expires).min()
    }

    /// When the next record is to be queried for again.
    var nextRefresh: ContinuousClock.Instant? {
        records.values.lazy.flatMap { $0 }.compactMap(\.refresh).min()
    }

    /// Notes the refreshes that are due now, and returns their keys.
    ///
    /// - Parameter now: The instant at which this happens.
    mutating func refreshing(at now: ContinuousClock.Instant) -> [Key] {
        records.keys.filter { key in
            var isDue = false
            for index in (records[key] ?? []).indices {
                guard let refresh = records[key]?[index].refresh, refresh <= now else { continue }
                records[key]?[index].noteRefresh()
                isDue = true
            }
            return isDue
        }
    }

    /// The record that gives its place to one of a sender: the oldest of the sender that has most of them, if that has
    /// more than a few and more than the new one.
    private static func place(for sender: [UInt8], in known: [CachedRecord]) -> Int? {
        let own = known.count { $0.sender == sender }
        guard own < mostOfLatecomer else { return nil }
        var counts: [[UInt8]: Int] = [:]
        for record in known { counts[record.sender, default: 0] += 1 }
        guard let most = counts.max(by: { $0.value < $1.value }), most.value > max(own + 1, mostOfLatecomer) else {
            return nil
        }
        return known.firstIndex { $0.sender == most.key }
    }

    /// How many records a sender may put in the places of others.
    private static let mostOfLatecomer = 8
    /// The largest number of records of one name: PTR records, or records of another type.
    ///
    /// - Parameter type: The type that is meant.
    private static func most(of type: RecordType) -> Int { type == .ptr ? 256 : 16 }
    /// The largest number of records of one link, so that no sender can use up the memory.
    private static let mostRecords = 4096
}

/// The known answers of a query, to be looked up by what they say.
struct KnownAnswers: Sendable {
    private var said: Set<ResourceRecord> = []

    /// Takes over the known answers of a query.
    init(_ answers: [ResourceRecord]) {
        for answer in answers { said.insert(answer.saying) }
    }

    /// Whether there is an answer that says the same as `record`, whatever its lifetime.
    func contains(_ record: ResourceRecord) -> Bool {
        said.contains(record.saying)
    }
}

extension ResourceRecord {
    /// The record without what does not count when records are compared.
    fileprivate var saying: ResourceRecord {
        var saying = self
        (saying.lifetime, saying.isUnique) = (0, false)
        return saying
    }
}

extension RecordType {
    /// The types of records that are cached.
    fileprivate static let cached: [RecordType] = [.ptr, .srv, .txt, .a, .aaaa]
}
