/// The names whose records are cached.
struct WantedNames: Sendable {
    /// The types, their instances, and the hosts of these.
    var names: Set<DomainName> = []
    /// The hosts only.
    var hosts: Set<DomainName> = []

    /// Adds the name that a record leads to.
    mutating func add(_ record: ResourceRecord) {
        if let instance = record.target { names.insert(instance) }
        guard let host = record.location?.host else { return }
        names.insert(host)
        hosts.insert(host)
    }
}

extension LinkQuerier {
    /// The names that belong to the searched types.
    var wantedNames: WantedNames {
        let instances = knownInstances
        let hosts = Set(instances.flatMap { cache.records($0, .srv).compactMap(\.record.location?.host) })
        return WantedNames(names: instances.union(wantedTypes.map(\.domain)).union(hosts), hosts: hosts)
    }

    /// The records to query for: PTR always; SRV, TXT and addresses only while missing.
    var missingKeys: Set<RecordCache.Key> {
        var missing = Set(wantedTypes.map { RecordCache.Key(name: $0.domain, type: .ptr) })
        for instance in knownInstances {
            let places = cache.records(instance, .srv)
            if places.isEmpty { missing.insert(RecordCache.Key(name: instance, type: .srv)) }
            if cache.records(instance, .txt).isEmpty { missing.insert(RecordCache.Key(name: instance, type: .txt)) }
            for host in Set(places.compactMap(\.record.location?.host))
            where cache.records(host, .a).isEmpty && cache.records(host, .aaaa).isEmpty {
                missing.insert(RecordCache.Key(name: host, type: .a))
                missing.insert(RecordCache.Key(name: host, type: .aaaa))
            }
        }
        return missing
    }

    /// The instances in the PTR records of the searched types. The entries of the list of all types are not instances,
    /// and have no host.
    private var knownInstances: Set<DomainName> {
        let types = wantedTypes.filter { $0 != .serviceTypes }
        return Set(types.flatMap { cache.records($0.domain, .ptr).compactMap(\.record.target) })
    }

    /// Messages with all queries that are due, and their known answers. A query that was sent less than a second ago is
    /// postponed, whether it looks for records or refreshes them.
    ///
    /// Standard: RFC 6762 §5.2.
    mutating func questions(at now: ContinuousClock.Instant) -> [Message] {
        lastAsked = lastAsked.filter { now < $0.value + QuestionSchedule.shortestPause }
        let barred = lastAsked.mapValues { $0 + QuestionSchedule.shortestPause }
        var asked = Set(cache.refreshing(at: now, exceptBefore: barred))
        var wantingUnicast: Set<RecordCache.Key> = []
        for (key, schedule) in schedules where schedule.next <= now {
            if let allowed = barred[key] {
                schedules[key]?.postpone(to: allowed)
                continue
            }
            asked.insert(key)
            // The first query asks for a unicast response (QU; RFC 6762 §5.4).
            if schedule.isFirst, ownsPort, cache.records(key.name, key.type).isEmpty { wantingUnicast.insert(key) }
            schedules[key]?.noteAsked(at: now)
        }
        guard !asked.isEmpty else { return [] }
        for key in asked { lastAsked[key] = now }
        let keys = asked.sorted { left, right in
            guard left.type == right.type else { return left.type < right.type }
            return left.name.wire.lexicographicallyPrecedes(right.name.wire)
        }
        // A message always has room for its questions; its known answers may continue in further packets.
        return stride(from: 0, to: keys.count, by: Self.questionsInMessage).map { start in
            let part = keys[start..<min(start + Self.questionsInMessage, keys.count)]
            var message = Message.query(
                part.map { Question($0.name, $0.type, wantsUnicast: wantingUnicast.contains($0)) })
            message.answers = part.flatMap { key in
                cache.records(key.name, key.type).filter { $0.isFresh(at: now) }.map { $0.known(at: now) }
            }
            return message
        }
    }

    /// Skips a query that another host has just sent: if it lists no more known answers than we would, we get the same
    /// answers (RFC 6762 §7.3).
    mutating func leaveToOthers(_ message: Message, at now: ContinuousClock.Instant) {
        // More known answers may follow a truncated query.
        guard !message.isTruncated else { return }
        let pending = message.questions.filter { !$0.wantsUnicast && $0.recordClass == .internet }
            .map { RecordCache.Key(name: $0.name, type: $0.type) }
            .filter { schedules[$0]?.isPending(at: now) ?? false }
        guard !pending.isEmpty else { return }
        let unknown = message.answers.filter {
            $0.recordClass == .internet && !(cache.record(like: $0)?.isFresh(at: now) ?? false)
        }
        let uncovered = Set(unknown.map { RecordCache.Key(name: $0.name, type: $0.type) })
        for key in Set(pending).subtracting(uncovered) { schedules[key]?.noteAsked(at: now) }
    }

    /// Another host queries for cached records by multicast: their owners should answer now.
    ///
    /// Standard: RFC 6762 §10.5.
    mutating func observe(_ message: Message, at now: ContinuousClock.Instant) {
        // More known answers may follow a truncated query; and a probe for a name expects no answer.
        guard !message.isTruncated, message.authorities.isEmpty else { return }
        let asked = Set(message.questions.filter { isWanted($0.name) })
        guard !asked.isEmpty else { return }
        let answers = KnownAnswers(message.answers)
        for question in asked where !question.wantsUnicast && question.recordClass == .internet {
            cache.noteAskedByAnother(question, knowing: answers, at: now)
        }
    }

    /// The maximum number of questions in one message, so that it fits a packet with its known answers.
    private static let questionsInMessage = 16
}

extension ResourceRecord {
    /// The location in an SRV record; `nil` for other records.
    var location: RecordData.SRVRecord? {
        guard case .service(let location) = data else { return nil }
        return location
    }
}
