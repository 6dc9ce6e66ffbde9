internal import NIOCore

extension LinkResponder {
    /// Sends the answers that are due; a multicast answer includes all records that may be sent already.
    mutating func sendAnswers(at now: ContinuousClock.Instant) -> [OutgoingMessage] {
        var dispatches: [OutgoingMessage] = []
        if waitingForEveryone.values.contains(where: { $0.due <= now }) {
            let ready = waitingForEveryone.filter { $0.value.earliest <= now }.keys
            for record in ready { waitingForEveryone[record] = nil }
            var message = Message.response(inOrder(ready))
            message.additionals = additionals(for: message.answers).filter { !wasSentLately($0, at: now) }
            noteSent(message, at: now)
            dispatches.append(OutgoingMessage(message, to: .everyone))
        }
        for reply in waitingForOne where reply.due <= now && !reply.answers.isEmpty {
            dispatches.append(dispatch(reply))
        }
        waitingForOne.removeAll { $0.due <= now }
        return dispatches
    }

    /// The unicast response for one querier; for a plain resolver it repeats the question and limits the lifetimes.
    ///
    /// Standard: RFC 6762 §6.7.
    private func dispatch(_ reply: DelayedUnicastResponse) -> OutgoingMessage {
        var message = Message.response(reply.answers)
        message.additionals = additionals(for: reply.answers)
        var dispatch = OutgoingMessage(message, to: .one(reply.recipient))
        guard let question = reply.resolver else { return dispatch }
        // A plain resolver receives no announcements, so its lifetimes are short; and it does not know the cache-flush
        // bit (RFC 6762 §6.7).
        let plain = { (record: ResourceRecord) in
            var record = record.asQuestioned
            record.lifetime = min(record.lifetime, 10)
            return record
        }
        message.identifier = question.identifier
        message.questions = question.questions.map { asked in
            var asked = asked
            asked.wantsUnicast = false
            return asked
        }
        message.answers = message.answers.map(plain)
        message.additionals = message.additionals.map(plain)
        dispatch.message = message
        dispatch.isForResolver = true
        return dispatch
    }

    /// The additional records: the receiver's likely next queries.
    func additionals(for answers: [ResourceRecord]) -> [ResourceRecord] {
        let records = answerable
        var more: [ResourceRecord] = []
        func add(_ record: ResourceRecord) {
            if !answers.contains(record), !more.contains(record) { more.append(record) }
        }
        func addHost(_ name: DomainName) {
            let addresses = records.filter { $0.name == name && ($0.type == .a || $0.type == .aaaa) }
            addresses.forEach(add)
            if Set(addresses.map(\.type)).count == 1, let denial = denial(for: name, among: records) { add(denial) }
        }
        func addPlace(_ location: RecordData.SRVRecord) { addHost(location.host) }
        for answer in answers {
            switch answer.data {
            case .pointer(let target):
                let found = records.filter { $0.name == target && $0.isUnique }
                found.forEach(add)
                found.compactMap(\.location).forEach(addPlace)
            case .service(let location): addPlace(location)
            case .address: addHost(answer.name)
            case .text, .denial, .unknown: break
            }
        }
        return more
    }

    /// Another host has answered: the same records need not be sent again, but are sent if its lifetimes were too
    /// short.
    mutating func learnWhatOthersAnswered(_ message: Message, at now: ContinuousClock.Instant) {
        for record in answerable {
            guard let theirs = message.answers.first(where: { $0.saysTheSame(as: record) }) else { continue }
            if theirs.lifetime < record.lifetime / 2 {
                let allowed = lastSent[record].map { $0 + Self.pause } ?? now
                let due = max(now + jitter.span(20...120), allowed)
                if waitingForEveryone[record] == nil {
                    waitingForEveryone[record] = DelayedMulticastAnswer(earliest: due, due: due)
                }
            } else if theirs.lifetime >= record.lifetime {
                waitingForEveryone[record] = nil
                lastSent[record] = now
            }
        }
    }

    /// Whether the record was sent by multicast less than a second ago.
    func wasSentLately(_ record: ResourceRecord, at now: ContinuousClock.Instant) -> Bool {
        lastSent[record].map { now < $0 + Self.pause } ?? false
    }

    /// Records when records were sent by multicast.
    mutating func noteSent(_ message: Message, at now: ContinuousClock.Instant) {
        for record in message.answers + message.additionals {
            lastSent[record] = now
            waitingForEveryone[record] = nil
        }
    }

    /// Sorts PTR records before the records that they lead to.
    private func inOrder(_ records: some Sequence<ResourceRecord>) -> [ResourceRecord] {
        let order: [RecordType] = [.ptr, .srv, .txt, .a, .aaaa, .nsec]
        let place = { (record: ResourceRecord) in order.firstIndex(of: record.type) ?? order.count }
        return records.sorted { (place($0), $0.name.description) < (place($1), $1.name.description) }
    }
}
