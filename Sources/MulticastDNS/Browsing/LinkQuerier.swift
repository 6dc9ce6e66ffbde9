/// Looks for instances of types on one link, and for their addresses, while there is a search.
///
/// It caches only records that belong to these types: PTR records, and the records of the instances and hosts that they
/// lead to.
///
/// Standard: RFC 6762 §5, §7 and §10.
package struct LinkQuerier: Sendable {
    /// The searched types, and the number of searches for each.
    private var types: [ServiceType: Int] = [:]
    /// The searched types, by the names of their lists.
    private var lists: [DomainName: ServiceType] = [:]
    /// The schedule of the queries for each name and type.
    var schedules: [RecordCache.Key: QuestionSchedule] = [:]
    /// The instant of the last query for each name and type, of queries sent within a second.
    var lastAsked: [RecordCache.Key: ContinuousClock.Instant] = [:]
    /// The records of wanted names that were received.
    var cache = RecordCache()
    /// The names that belong to the types, computed by ``follow(at:)``; records that came since may have added some.
    private var wanted = WantedNames()
    /// Since when records have come that ``follow(at:)`` has not seen: it is called once for all that come together.
    private var unfollowed: ContinuousClock.Instant?
    /// Counts changes that may affect the instances.
    package private(set) var revision = 0
    /// Draws delays, so that many hosts do not query at the same moment.
    let jitter: Jitter
    /// Whether unicast answers reach us: only if no other program on this machine listens on the port.
    package var ownsPort: Bool

    /// A querier without a search.
    package init(jitter: Jitter, ownsPort: Bool = true) {
        self.jitter = jitter
        self.ownsPort = ownsPort
    }

    /// Begins a search for a type.
    ///
    /// - Parameter isPrompted: whether the cause is one that many hosts notice at once, like a network that came up:
    ///   then the first query is delayed at random. A search that a person starts is not delayed.
    package mutating func look(for type: ServiceType, isPrompted: Bool = false, at now: ContinuousClock.Instant) {
        types[type, default: 0] += 1
        lists[type.domain] = type
        let key = RecordCache.Key(name: type.domain, type: .ptr)
        if schedules[key] == nil {
            schedules[key] = QuestionSchedule(startingAt: isPrompted ? now + jitter.span(20...120) : now)
        }
        follow(at: now)
    }

    /// Ends a search for a type; after the last one, its records are removed.
    package mutating func stopLooking(for type: ServiceType, at now: ContinuousClock.Instant) {
        guard let count = types[type] else { return }
        types[type] = count > 1 ? count - 1 : nil
        guard count == 1 else { return }
        lists[type.domain] = nil
        follow(at: now)
    }

    /// The next due time of ``advance(at:)``.
    package var deadline: ContinuousClock.Instant? {
        [unfollowed, schedules.values.map(\.next).min(), cache.nextExpiry, cache.nextRefresh].compactMap { $0 }
            .min()
    }

    /// Removes expired records, and returns the queries that are due.
    package mutating func advance(at now: ContinuousClock.Instant) -> [OutgoingMessage] {
        if let unfollowed { follow(at: unfollowed) }
        forgetTheSilent(at: now)
        return questions(at: now).map { OutgoingMessage($0, to: .everyone) }
    }

    /// Handles a message from the link.
    package mutating func receive(_ reception: ReceivedMessage, at now: ContinuousClock.Instant) {
        let message = reception.message
        guard message.operation == 0, message.failure == 0, reception.isFromMulticastPort, !types.isEmpty
        else { return }
        guard message.isResponse else {
            if !reception.isEcho, reception.isMulticast {
                leaveToOthers(message, at: now)
                observe(message, at: now)
            }
            return
        }
        let records = (message.answers + message.additionals).filter { $0.recordClass == .internet }
        guard records.contains(where: { wanted.names.contains($0.name) }) else { return }
        let sender = reception.sender
        // PTR records first, then the records that they lead to, so that the order within a message makes no
        // difference.
        for kinds in [[RecordType.ptr], [.srv, .txt], [.a, .aaaa]] {
            for record in records where kinds.contains(record.type) {
                // The names are not copied, since they may grow here.
                let isWanted = kinds == [.a, .aaaa] ? wanted.hosts.contains(record.name) : isWanted(record.name)
                guard isWanted else { continue }
                guard cache.record(like: record) != nil || cache.mayTake(record, at: now) && isSensible(record),
                    cache.take(record, from: sender, jitter: jitter, at: now)
                else { continue }
                if record.name != .serviceTypes { wanted.add(record) }
            }
        }
        unfollowed = unfollowed ?? now
    }

    /// A link to an instance got an answer: it keeps its place among the known ones.
    package mutating func confirm(_ instance: ServiceInstance) {
        guard let domain = try? instance.domain() else { return }
        cache.confirm(domain)
    }

    /// Whether records of a name are cached.
    func isWanted(_ name: DomainName) -> Bool { wanted.names.contains(name) }

    /// The types with at least one search.
    var wantedTypes: Dictionary<ServiceType, Int>.Keys { types.keys }

    /// Schedules queries for missing records, cancels queries for known ones, and removes records that no PTR record
    /// leads to.
    mutating func follow(at now: ContinuousClock.Instant) {
        unfollowed = nil
        revision += 1
        wanted = wantedNames
        let names = wanted.names
        cache.forget { !names.contains($0.name) }
        let missing = missingKeys
        for key in schedules.keys where !missing.contains(key) { schedules[key] = nil }
        let start = now + jitter.span(20...120)
        for key in missing where schedules[key] == nil { schedules[key] = QuestionSchedule(startingAt: start) }
    }

    /// Treats a service as gone when its SRV record expired, although its PTR record may be valid for another hour. The
    /// PTR records are queried for again, so that services that are still there answer.
    private mutating func forgetTheSilent(at now: ContinuousClock.Instant) {
        guard let next = cache.nextExpiry, next <= now else { return }
        defer { follow(at: now) }
        let places = cache.forgetExpired(at: now)
            .filter { $0.record.type == .srv && cache.records($0.record.name, .srv).isEmpty }
        guard !places.isEmpty else { return }
        let silent = Set(places.map(\.record.name))
        // Records that other hosts queried for without an answer are not queried for again (RFC 6762 §10.5).
        let unasked = Set(places.filter { !$0.isDoubted }.map(\.record.name))
        for type in types.keys {
            let key = RecordCache.Key(name: type.domain, type: .ptr)
            let isListed = cache.records(key.name, .ptr).contains { $0.record.target.map(unasked.contains) ?? false }
            if isListed { schedules[key] = QuestionSchedule(startingAt: now + jitter.span(1005...1100)) }
        }
        cache.forget { $0.target.map(silent.contains) ?? false }
    }

    /// Whether a PTR record names an instance of its type; other records are always accepted.
    private func isSensible(_ record: ResourceRecord) -> Bool {
        guard let target = record.target else { return true }
        return lists[record.name]?.instance(at: target) != nil
    }
}

extension ResourceRecord {
    /// The name in a PTR record; `nil` for other records.
    var target: DomainName? {
        guard case .pointer(let target) = data else { return nil }
        return target
    }
}
