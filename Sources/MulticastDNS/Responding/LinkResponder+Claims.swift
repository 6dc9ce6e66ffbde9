extension LinkResponder {
    /// The probes and announcements that are due, combined into few messages.
    mutating func advanceClaims(at now: ContinuousClock.Instant) -> (dispatches: [OutgoingMessage], events: [Event]) {
        var probing: [Publication] = []
        var announcing: [ResourceRecord] = []
        var events: [Event] = []
        for identity in published.keys.sorted() {
            guard var known = published[identity], let step = known.claim.advance(at: now) else { continue }
            published[identity] = known
            switch step {
            case .probe: probing.append(known.publication)
            case .announce(let isFirst):
                announcing += known.publication.records.filter { !announcing.contains($0) }
                if isFirst { events.append(.established(identity)) }
            }
        }
        var dispatches = Self.probes(for: probing, wantingUnicast: ownsPort)
        if !announcing.isEmpty { dispatches.append(announcement(of: announcing, at: now)) }
        return (dispatches, events)
    }

    /// A probe needs its questions and its wanted records in one packet, so many names need several probes.
    private static func probes(for publications: [Publication], wantingUnicast: Bool) -> [OutgoingMessage] {
        var messages: [Message] = []
        for publication in publications {
            let questions = Set(publication.unique.map(\.name)).map { Question($0, .any, wantsUnicast: wantingUnicast) }
            let wanted = publication.unique.map(\.asQuestioned)
            if var last = messages.last {
                last.questions += questions
                last.authorities += wanted
                if last.packets().count == 1 {
                    messages[messages.count - 1] = last
                    continue
                }
            }
            var message = Message.query(questions)
            message.authorities = wanted
            messages.append(message)
        }
        return messages.map { OutgoingMessage($0, to: .everyone) }
    }

    private mutating func announcement(of records: [ResourceRecord], at now: ContinuousClock.Instant) -> OutgoingMessage
    {
        var message = Message.response(records)
        message.additionals = additionals(for: records).filter { !wasSentLately($0, at: now) }
        noteSent(message, at: now)
        return OutgoingMessage(message, to: .everyone)
    }

    /// Whether a response has another's records under a name of this publication.
    func isContested(_ identity: Publication.Identity, by message: Message) -> Bool {
        guard let known = published[identity] else { return false }
        let names = known.publication.names
        return (message.answers + message.additionals).contains { record in
            guard record.lifetime > 0, record.type != .nsec, names.contains(record.name), !isOurs(record, in: known)
            else { return false }
            // Until a name is ours, any record of another host under it means that the name is taken.
            return !known.claim.isOurs || known.publication.unique.contains { $0.type == record.type }
        }
    }

    /// Two hosts probe for one name at the same time: the one whose records are later in byte order wins (RFC 6762
    /// §8.2). A name whose ties are lost repeatedly counts as taken.
    mutating func breakTies(_ message: Message, at now: ContinuousClock.Instant) -> [Event] {
        var events: [Event] = []
        for identity in published.keys.sorted() where losesTie(identity, to: message) {
            guard published[identity]?.claim.yield(at: now) == .lost else { continue }
            contests.add(at: now)
            forget(identity)
            events.append(.nameTaken(identity))
        }
        return events
    }

    /// Whether a publication whose names are not ours yet loses a tie against the probe of another host.
    private func losesTie(_ identity: Publication.Identity, to message: Message) -> Bool {
        guard let known = published[identity], !known.claim.isOurs else { return false }
        return known.publication.names.contains { name in
            let theirs = message.authorities.filter { $0.name == name }
            guard theirs.contains(where: { !isOurs($0, in: known) }) else { return false }
            return Self.comesBefore(known.publication.unique.filter { $0.name == name }, theirs)
        }
    }

    /// Whether a record of another host has the same data as one of ours.
    private func isOurs(_ record: ResourceRecord, in known: ClaimedPublication) -> Bool {
        if known.publication.unique.contains(where: { $0.saysTheSame(as: record) }) { return true }
        guard case .address(let bytes) = record.data else { return false }
        return ownAddresses.contains(bytes)
    }

    /// Whether our records lose against others in a tie: sorted and compared byte by byte, the lower ones lose.
    ///
    /// Standard: RFC 6762 §8.2.
    private static func comesBefore(_ ours: [ResourceRecord], _ theirs: [ResourceRecord]) -> Bool {
        let keys = { (records: [ResourceRecord]) in
            records.map { record in
                let (kind, type) = (record.recordClass.rawValue, record.type.rawValue)
                return [UInt8(kind >> 8), UInt8(kind & 0xFF), UInt8(type >> 8), UInt8(type & 0xFF)] + record.data.plain
            }
            .sorted { $0.lexicographicallyPrecedes($1) }
        }
        return keys(ours).lexicographicallyPrecedes(keys(theirs)) { $0.lexicographicallyPrecedes($1) }
    }
}

extension ResourceRecord {
    /// The record without the cache-flush bit, for queries.
    var asQuestioned: ResourceRecord {
        var record = self
        record.isUnique = false
        return record
    }
}
