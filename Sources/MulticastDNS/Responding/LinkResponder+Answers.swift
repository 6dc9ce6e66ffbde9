internal import NIOCore

extension LinkResponder {
    /// Sends what is due, and to everybody also what may go already.
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

    /// The message that answers one asker; for a plain resolver it repeats the question and limits the lifetimes.
    ///
    /// Standard: RFC 6762 §6.7.
    private func dispatch(_ reply: WaitingReply) -> OutgoingMessage {
        var message = Message.response(reply.answers)
        message.additionals = additionals(for: reply.answers)
        var dispatch = OutgoingMessage(message, to: .one(reply.recipient))
        guard let question = reply.resolver else { return dispatch }
        // A plain resolver forgets soon, so that it need not hear of changes, and knows no bit for it (RFC 6762 §6.7).
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

    /// What the receiver of these will ask for next.
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
        func addPlace(_ location: RecordData.ServiceLocation) { addHost(location.host) }
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

    /// Others have answered: what everybody heard need not be said again, and what they will forget too soon must be.
    ///
    /// - Parameters:
    ///   - message: The message, as it was received.
    ///   - now: The instant at which this happens.
    mutating func learnWhatOthersAnswered(_ message: Message, at now: ContinuousClock.Instant) {
        for record in answerable {
            guard let theirs = message.answers.first(where: { $0.saysTheSame(as: record) }) else { continue }
            if theirs.lifetime < record.lifetime / 2 {
                let allowed = lastSent[record].map { $0 + Self.pause } ?? now
                let due = max(now + jitter.span(20...120), allowed)
                if waitingForEveryone[record] == nil {
                    waitingForEveryone[record] = WaitingAnswer(earliest: due, due: due)
                }
            } else if theirs.lifetime >= record.lifetime {
                waitingForEveryone[record] = nil
                lastSent[record] = now
            }
        }
    }

    /// Whether everybody was sent the record less than a second ago.
    ///
    /// - Parameters:
    ///   - record: The record that is meant.
    ///   - now: The instant at which this happens.
    func wasSentLately(_ record: ResourceRecord, at now: ContinuousClock.Instant) -> Bool {
        lastSent[record].map { now < $0 + Self.pause } ?? false
    }

    /// Notes when records were sent to everybody.
    ///
    /// - Parameters:
    ///   - message: The message, as it was received.
    ///   - now: The instant at which this happens.
    mutating func noteSent(_ message: Message, at now: ContinuousClock.Instant) {
        for record in message.answers + message.additionals {
            lastSent[record] = now
            waitingForEveryone[record] = nil
        }
    }

    /// Lists before what is listed.
    private func inOrder(_ records: some Sequence<ResourceRecord>) -> [ResourceRecord] {
        let order: [RecordType] = [.ptr, .srv, .txt, .a, .aaaa, .nsec]
        let place = { (record: ResourceRecord) in order.firstIndex(of: record.type) ?? order.count }
        return records.sorted {
            (place($0), $0.name.description) < (place($1), $1.name.description)
        }
    }
}
