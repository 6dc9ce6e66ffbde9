/// Looks for instances of types on one link, and for where they are, for as long as there is a search.
///
/// It remembers only what belongs to these types: the lists of their instances, and what stands under the names in these.
///
/// Standard: RFC 6762 §5, §7 and §10.
package struct LinkQuerier: Sendable {
    /// The types that are looked for, and how many look.
    private var types: [ServiceType: Int] = [:]
    /// When each name and type is asked for next.
    var schedules: [RecordCache.Key: QuestionSchedule] = [:]
    /// What others have sent of the names that are looked for.
    var cache = RecordCache()
    /// What belongs to the types, found anew by ``follow(at:)``.
    private var wanted = WantedNames()
    /// Counts what may have changed the sightings.
    package private(set) var revision = 0
    /// Draws the delays that keep many hosts from asking at the same moment.
    let jitter: Jitter
    /// Whether answers for us alone reach us, which is so when no other program listens at the port.
    package var isAloneAtPort: Bool

    /// A querier that looks for nothing yet.
    ///
    /// - Parameters:
    ///   - jitter: Draws delays.
    ///   - isAloneAtPort: Whether no other program on this machine listens at the port, so that unicast answers
    ///     arrive.
    package init(jitter: Jitter, isAloneAtPort: Bool = true) {
        self.jitter = jitter
        self.isAloneAtPort = isAloneAtPort
    }

    /// Begins to look for a type.
    ///
    /// - Parameter isPrompted: whether something that many notice at once is the reason, like a network that came up:
    ///   then the first question waits for a random moment. A person who starts a search is no such reason.
    package mutating func look(for type: ServiceType, isPrompted: Bool = false, at now: ContinuousClock.Instant) {
        types[type, default: 0] += 1
        let key = RecordCache.Key(name: type.domain, type: .ptr)
        if schedules[key] == nil {
            schedules[key] = QuestionSchedule(startingAt: isPrompted ? now + jitter.span(20...120) : now)
        }
        follow(at: now)
    }

    /// Ends that; with the last search, what was remembered of it goes.
    ///
    /// - Parameters:
    ///   - type: The type that is meant.
    ///   - now: The instant at which this happens.
    package mutating func stopLooking(for type: ServiceType, at now: ContinuousClock.Instant) {
        guard let count = types[type] else { return }
        types[type] = count > 1 ? count - 1 : nil
        guard count == 1 else { return }
        follow(at: now)
    }

    /// When ``advance(at:)`` is next to be called.
    package var deadline: ContinuousClock.Instant? {
        [schedules.values.map(\.next).min(), cache.nextExpiry, cache.nextRefresh].compactMap { $0 }
            .min()
    }

    /// Forgets what is over, and asks what is due.
    ///
    /// - Parameter now: The instant at which this happens.
    package mutating func advance(at now: ContinuousClock.Instant) -> [OutgoingMessage] {
        forgetTheSilent(at: now)
        return questions(at: now).map { OutgoingMessage($0, to: .everyone) }
    }

    /// Takes in a message from the link.
    ///
    /// - Parameters:
    ///   - reception: The message with its sender, and how it came.
    ///   - now: The instant at which this happens.
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
        // Lists first, then what the names in them lead to, so that the order within a message makes no difference.
        for kinds in [[RecordType.ptr], [.srv, .txt], [.a, .aaaa]] {
            let names = kinds == [.a, .aaaa] ? wanted.hosts : wanted.names
            let sensible = records.filter { kinds.contains($0.type) && names.contains($0.name) && isSensible($0) }
            for record in sensible { cache.take(record, jitter: jitter.fraction * 0.02, at: now) }
            if !sensible.isEmpty { wanted = wantedNames }
        }
        follow(at: now)
    }

    /// Those that are looked for, at least once.
    var wantedTypes: Dictionary<ServiceType, Int>.Keys { types.keys }

    /// Asks for what the known instances lack, no more for what they have, and forgets what no list leads to any more.
    ///
    /// - Parameter now: The instant at which this happens.
    mutating func follow(at now: ContinuousClock.Instant) {
        revision += 1
        wanted = wantedNames
        let names = wanted.names
        cache.forget { !names.contains($0.name) }
        let missing = missingKeys
        for key in schedules.keys where !missing.contains(key) { schedules[key] = nil }
        let start = now + jitter.span(20...120)
        for key in missing where schedules[key] == nil { schedules[key] = QuestionSchedule(startingAt: start) }
    }

    /// The names and types whose records are about to expire and are asked for again.
    ///
    /// - Parameter now: The instant at which this happens.
    mutating func noteRefreshes(at now: ContinuousClock.Instant) -> [RecordCache.Key] {
        cache.refreshing(at: now)
    }

    /// A service that was not heard of for as long as it had promised is taken to be gone, although the list that names it
    /// may hold for an hour yet. The list is asked for again: who is there, says so.
    ///
    /// - Parameter now: The instant at which this happens.
    private mutating func forgetTheSilent(at now: ContinuousClock.Instant) {
        guard let next = cache.nextExpiry, next <= now else { return }
        defer { follow(at: now) }
        let places = cache.forgetExpired(at: now)
            .filter { $0.record.type == .srv && cache.records($0.record.name, .srv).isEmpty }
        guard !places.isEmpty else { return }
        let silent = Set(places.map(\.record.name))
        // What others asked for in vain is not asked for again (RFC 6762 §10.5).
        let unasked = Set(places.filter { !$0.isDoubted }.map(\.record.name))
        for type in types.keys {
            let key = RecordCache.Key(name: type.domain, type: .ptr)
            let isListed = cache.records(key.name, .ptr).contains { $0.record.target.map(unasked.contains) ?? false }
            if isListed { schedules[key] = QuestionSchedule(startingAt: now + jitter.span(1005...1100)) }
        }
        cache.forget { $0.target.map(silent.contains) ?? false }
    }

    /// Whether a list names an instance of its type; all else under a wanted name is taken as it is.
    ///
    /// - Parameter record: The record that is meant.
    private func isSensible(_ record: ResourceRecord) -> Bool {
        guard let target = record.target else { return true }
        return types.keys.contains { $0.domain == record.name && $0.instance(at: target) != nil }
    }
}

extension ResourceRecord {
    /// The name to which a record of a list leads.
    var target: DomainName? {
        guard case .pointer(let target) = data else { return nil }
        return target
    }
}
