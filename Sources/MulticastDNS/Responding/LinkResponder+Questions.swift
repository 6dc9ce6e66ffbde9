internal import NIOCore

extension LinkResponder {
    /// Plans the answers to a query, with the way and the time of sending.
    mutating func takeQuestions(_ reception: ReceivedMessage, at now: ContinuousClock.Instant) {
        let message = reception.message
        // A probe is no continuation of a query, and is answered at once (RFC 6762 §6 and §8.1).
        guard reception.isFromMulticastPort, !message.isProbe else {
            return answer(message, from: reception.source, isMulticast: reception.isMulticast, waited: false, at: now)
        }
        if var known = questionsInParts[reception.source] {
            guard known.message.questions.count + message.questions.count <= Self.mostQuestions,
                known.message.answers.count + message.answers.count <= Self.mostKnownAnswers
            else { return }
            known.message.questions += message.questions
            known.message.answers += message.answers
            if message.isTruncated { known.due = min(now + jitter.span(400...500), known.latest) }
            questionsInParts[reception.source] = known
        } else if message.isTruncated, questionsInParts.count < Self.mostAskersInParts {
            questionsInParts[reception.source] = TruncatedQuery(
                message: message, isMulticast: reception.isMulticast, due: now + jitter.span(400...500),
                latest: now + Self.longestWait)
        } else {
            answer(message, from: reception.source, isMulticast: reception.isMulticast, waited: false, at: now)
        }
    }

    /// Answers truncated queries whose known answers had enough time to arrive.
    mutating func answerQuestionsInParts(at now: ContinuousClock.Instant) {
        for (source, known) in questionsInParts where known.due <= now {
            questionsInParts[source] = nil
            answer(known.message, from: source, isMulticast: known.isMulticast, waited: true, at: now)
        }
    }

    /// Plans the answers to one message, by multicast or unicast.
    private mutating func answer(
        _ message: Message,
        from source: SocketAddress,
        isMulticast: Bool,
        waited: Bool,
        at now: ContinuousClock.Instant
    ) {
        var forEveryone: Set<ResourceRecord> = []
        var forOne: [ResourceRecord] = []
        let isResolver = source.port != MulticastPort.number
        let records = answerable
        let names = Set(records.map(\.name))
        var seen: Set<Question> = []
        for question in message.questions.prefix(Self.mostQuestions)
        where names.contains(question.name) && seen.insert(question).inserted {
            for group in groups(answering: question, among: records) where !isKnown(group, from: message.answers) {
                let wantsUnicast = isResolver || question.wantsUnicast || !isMulticast
                if isResolver || wantsUnicast && (message.isProbe || wasSentRecently(group, at: now)) {
                    forOne += group.filter { !forOne.contains($0) }
                }
                if !isResolver, !wantsUnicast || message.isProbe || !wasSentRecently(group, at: now) {
                    forEveryone.formUnion(group)
                }
            }
        }
        guard !forEveryone.isEmpty || !forOne.isEmpty else { return }
        // Several hosts may answer for shared records, so these are delayed; a name is defended at once.
        let mayCollide =
            !waited && !message.isProbe && (forEveryone.contains { !$0.isUnique } || forOne.contains { !$0.isUnique })
        let delay = mayCollide ? jitter.span(20...120) : .zero
        let earliest = now + (mayCollide ? .milliseconds(20) : .zero)
        for record in forEveryone { wait(with: record, from: earliest, until: now + delay, isDefence: message.isProbe) }
        if !forOne.isEmpty, waitingForOne.count < Self.mostReplies {
            waitingForOne.append(
                DelayedUnicastResponse(
                    recipient: source, resolver: isResolver ? message : nil, answers: forOne, due: now + delay))
        }
    }

    /// A record is sent by multicast again after a second at the earliest, or a quarter of one in defence.
    private mutating func wait(
        with record: ResourceRecord,
        from earliest: ContinuousClock.Instant,
        until due: ContinuousClock.Instant,
        isDefence: Bool
    ) {
        let pause = isDefence ? Self.pauseInDefence : Self.pause
        let allowed = lastSent[record].map { $0 + pause } ?? earliest
        var waiting = DelayedMulticastAnswer(earliest: max(earliest, allowed), due: max(due, allowed))
        if let known = waitingForEveryone[record], known.due < waiting.due { waiting = known }
        waitingForEveryone[record] = waiting
    }

    /// The records that answer a question. Unique records of one name and type are sent together, since a host that
    /// receives some of them drops the others.
    private func groups(answering question: Question, among records: [ResourceRecord]) -> [[ResourceRecord]] {
        var groups: [[ResourceRecord]] = []
        for record in records where question.isAnswered(by: record) {
            if record.isUnique, let index = groups.firstIndex(where: { $0[0].isUnique && $0[0].type == record.type }) {
                if !groups[index].contains(record) { groups[index].append(record) }
            } else if !groups.contains([record]) {
                groups.append([record])
            }
        }
        let isOfOurClass = question.recordClass == .internet || question.recordClass == .any
        if groups.isEmpty, isOfOurClass, question.type != .any, let denial = denial(for: question.name, among: records)
        {
            groups.append([denial])
        }
        return groups
    }

    /// All records whose names are ours now.
    var answerable: [ResourceRecord] {
        published.sorted { $0.key < $1.key }.filter(\.value.claim.isOurs).flatMap(\.value.publication.records)
    }

    /// An NSEC record with the types of a name of ours, which says that it has no others (RFC 6762 §6.1).
    func denial(for name: DomainName, among records: [ResourceRecord]) -> ResourceRecord? {
        let held = records.filter { $0.isUnique && $0.name == name }
        guard let lifetime = held.map(\.lifetime).min() else { return nil }
        let types = Set(held.map(\.type))
        return ResourceRecord(name, .denial(next: name, types: types), lifetime: lifetime, isUnique: true)
    }

    /// Whether the querier has all of these, with at least half of their lifetimes left.
    private func isKnown(_ group: [ResourceRecord], from known: [ResourceRecord]) -> Bool {
        group.allSatisfy { record in
            known.contains { $0.saysTheSame(as: record) && $0.lifetime >= (record.lifetime + 1) / 2 }
        }
    }

    /// Whether these were sent by multicast within a quarter of their lifetimes, so that a unicast answer suffices.
    private func wasSentRecently(_ group: [ResourceRecord], at now: ContinuousClock.Instant) -> Bool {
        group.allSatisfy { record in lastSent[record].map { now < $0 + .seconds(Int64(record.lifetime)) / 4 } ?? false }
    }

    /// The maximum number of questions of one message that are answered.
    private static let mostQuestions = 128
    /// The maximum number of known answers of one querier that are stored.
    private static let mostKnownAnswers = 2048
    /// The maximum number of queriers that send known answers in several packets at the same time.
    private static let mostAskersInParts = 32
    /// The maximum wait for known answers of one querier, however many packets say that more will follow.
    private static let longestWait = Duration.seconds(1)
    /// The maximum number of unicast answers that wait.
    private static let mostReplies = 128
    /// A record is sent by multicast at most once in this span.
    ///
    /// Standard: RFC 6762 §6.
    static let pause = Duration.milliseconds(1005)
    /// The same while a name is defended against a probe.
    ///
    /// Standard: RFC 6762 §6.
    private static let pauseInDefence = Duration.milliseconds(250)
}
