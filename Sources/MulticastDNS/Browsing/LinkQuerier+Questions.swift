/// The names under which something is remembered.
struct WantedNames: Sendable {
    /// The lists, the instances in them, and the hosts of these.
    var names: Set<DomainName> = []
    /// The hosts alone.
    var hosts: Set<DomainName> = []
}

extension LinkQuerier {
    /// What belongs to the types that are looked for.
    var wantedNames: WantedNames {
        let instances = knownInstances
        let hosts = Set(instances.flatMap { cache.records($0, .srv).compactMap(\.record.location?.host) })
        return WantedNames(names: instances.union(wantedTypes.map(\.domain)).union(hosts), hosts: hosts)
    }

    /// What is asked for again and again: the lists always, all else until it is there.
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

    /// The names in the lists of the types that are looked for.
    private var knownInstances: Set<DomainName> {
        Set(wantedTypes.flatMap { cache.records($0.domain, .ptr).compactMap(\.record.target) })
    }

    /// One message with all that is due, and what of it is known already.
    ///
    /// - Parameter now: The instant at which this happens.
    mutating func questions(at now: ContinuousClock.Instant) -> [Message] {
        var asked = Set(noteRefreshes(at: now))
        var wantingUnicast: Set<RecordCache.Key> = []
        for (key, schedule) in schedules where schedule.next <= now {
            asked.insert(key)
            // Who has just come asks for an answer of its own: others have heard it before.
            if schedule.isFirst, isAloneAtPort, cache.records(key.name, key.type).isEmpty { wantingUnicast.insert(key) }
            schedules[key]?.noteAsked(at: now)
        }
        guard !asked.isEmpty else { return [] }
        let keys = asked.sorted { ($0.type, $0.name.description) < ($1.type, $1.name.description) }
        // Each message has room for its questions; known answers go on in further packets of the last.
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

    /// Another asks what we were about to ask, and knows no more than we do: its answers are ours, too (RFC 6762 §7.3).
    ///
    /// - Parameters:
    ///   - message: The message, as it was received.
    ///   - now: The instant at which this happens.
    mutating func leaveToOthers(_ message: Message, at now: ContinuousClock.Instant) {
        for question in message.questions where !question.wantsUnicast && question.recordClass == .internet {
            let key = RecordCache.Key(name: question.name, type: question.type)
            guard let schedule = schedules[key], schedule.isPending(at: now) else { continue }
            let ours = cache.records(key.name, key.type).filter { $0.isFresh(at: now) }
            let isCovered = message.answers.filter(question.isAnswered).allSatisfy { theirs in
                ours.contains { $0.record.saysTheSame(as: theirs) }
            }
            if isCovered { schedules[key]?.noteAsked(at: now) }
        }
    }

    /// Another asks everybody for what is remembered here: who has it, should be heard now.
    ///
    /// Standard: RFC 6762 §10.5.
    ///
    /// - Parameters:
    ///   - message: The message, as it was received.
    ///   - now: The instant at which this happens.
    mutating func observe(_ message: Message, at now: ContinuousClock.Instant) {
        // More of what it knows may follow, and a host that probes for a name of its own expects no answer.
        guard !message.isTruncated, message.authorities.isEmpty else { return }
        for question in message.questions where !question.wantsUnicast && question.recordClass == .internet {
            cache.noteAskedByAnother(question, knowing: message.answers, at: now)
        }
    }

    /// How many questions one message holds, so that it fits a packet with its known answers.
    private static let questionsInMessage = 16
}

extension ResourceRecord {
    /// Where the service is that the record tells of.
    var location: RecordData.ServiceLocation? {
        guard case .service(let location) = data else { return nil }
        return location
    }
}
