internal import NIOCore

/// Makes hosts and services known on one link, answers for them, and keeps their names from others.
///
/// A link is one interface with both versions of the internet protocol: what is sent to everybody goes out by both.
/// Time is handed in, nothing is sent here.
///
/// Standard: RFC 6762 §6 to §10.
package struct LinkResponder: Sendable {
    /// What becomes of the names.
    package enum Event: Sendable, Equatable {
        /// It is ours on this link, and everybody was told.
        case established(Publication.Identity)
        /// Another has the name: it has to be published once more, under another name.
        case nameTaken(Publication.Identity)
    }

    /// A publication and how far its claim is.
    struct Published: Sendable {
        /// What is made known.
        var publication: Publication
        /// How far the claim to its names has come.
        var claim: NameClaim
    }

    /// What is made known on this link.
    var published: [Publication.Identity: Published] = [:]
    /// When each record was last sent to everybody.
    var lastSent: [ResourceRecord: ContinuousClock.Instant] = [:]
    /// The answers to everybody that wait, so that several go in one message.
    var waitingForEveryone: [ResourceRecord: WaitingAnswer] = [:]
    /// The answers to single askers that wait.
    var waitingForOne: [WaitingReply] = []
    /// The questions whose known answers are still arriving, by asker.
    var questionsInParts: [SocketAddress: QuestionInParts] = [:]
    /// The addresses of this machine on all links: what is said about these is no conflict.
    package var ownAddresses: Set<[UInt8]> = []
    /// Whether answers for us alone reach us, which is so when no other program listens at the port.
    package var isAloneAtPort: Bool
    /// Draws delays.
    let jitter: Jitter
    /// Counts conflicts, which slow the next claim down.
    private var contests = ContestCount()

    /// A responder that makes nothing known yet.
    ///
    /// - Parameters:
    ///   - jitter: Draws delays.
    ///   - isAloneAtPort: Whether no other program on this machine listens at the port, so that unicast answers
    ///     arrive.
    package init(jitter: Jitter, isAloneAtPort: Bool = true) {
        self.jitter = jitter
        self.isAloneAtPort = isAloneAtPort
    }

    /// Begins to claim the names of a publication, which replaces the one of the same identity without a word.
    ///
    /// - Parameter start: when to ask first, or nil for a random moment within 250 ms. Claims that begin together ask
    ///   together.
    package mutating func publish(
        _ publication: Publication,
        as identity: Publication.Identity,
        startingAt start: ContinuousClock.Instant? = nil,
        at now: ContinuousClock.Instant
    ) {
        forget(identity)
        let start = contests.earliest(start ?? now + jitter.span(0...250), at: now)
        published[identity] = Published(publication: publication, claim: NameClaim(startingAt: start))
    }

    /// When several publications begin that are made at once.
    ///
    /// - Parameter isPrompted: whether something that many notice at once is the reason, like a network that came up: then
    ///   the first question waits for a random moment. An app that begins to advertise is no such reason, and the delay
    ///   is only there for that one (RFC 6762 §8.1).
    package func start(at now: ContinuousClock.Instant, isPrompted: Bool = true) -> ContinuousClock.Instant {
        isPrompted ? now + jitter.span(0...250) : now
    }

    /// Replaces what stands under names that stay the same, and tells everybody; what is there no more, goes with a
    /// goodbye.
    ///
    /// - Parameters:
    ///   - identity: Which publication of this host it is.
    ///   - publication: The records, and the names that they stand under.
    ///   - now: The instant at which this happens.
    package mutating func update(
        _ identity: Publication.Identity,
        to publication: Publication,
        at now: ContinuousClock.Instant
    ) -> [OutgoingMessage] {
        guard var known = published[identity], known.publication != publication else { return [] }
        let gone = known.publication.records.filter { !publication.records.contains($0) }
        let wasOurs = known.claim.isOurs
        known.publication = publication
        known.claim.announceAgain(at: now)
        published[identity] = known
        for record in gone { dropPending(record) }
        // Where another record of that name and type takes its place, that one's arrival makes it forgotten.
        let silent = gone.filter { record in
            !publication.unique.contains { $0.name == record.name && $0.type == record.type }
        }
        return wasOurs ? goodbye(silent) : []
    }

    /// Ends a publication, with a goodbye for what no other publication of this host has.
    package mutating func withdraw(_ identity: Publication.Identity) -> [OutgoingMessage] {
        guard let known = published[identity] else { return [] }
        forget(identity)
        guard known.claim.isOurs else { return [] }
        let rest = Set(published.values.flatMap(\.publication.records))
        return goodbye(known.publication.records.filter { !rest.contains($0) })
    }

    /// When ``advance(at:)`` is next to be called.
    package var deadline: ContinuousClock.Instant? {
        let claims = published.values.compactMap(\.claim.deadline)
        let answers = waitingForEveryone.values.map(\.due) + waitingForOne.map(\.due)
        return (claims + answers + questionsInParts.values.map(\.due)).min()
    }

    /// Does what is due.
    package mutating func advance(at now: ContinuousClock.Instant) -> (dispatches: [OutgoingMessage], events: [Event]) {
        answerQuestionsInParts(at: now)
        let steps = advanceClaims(at: now)
        return (steps.dispatches + sendAnswers(at: now), steps.events)
    }

    /// Takes in a message from the link.
    ///
    /// - Parameters:
    ///   - reception: The message with its sender, and how it came.
    ///   - now: The instant at which this happens.
    package mutating func receive(_ reception: ReceivedMessage, at now: ContinuousClock.Instant) -> [Event] {
        let message = reception.message
        guard message.operation == 0, message.failure == 0 else { return [] }
        if message.isResponse {
            // What plain resolvers send is no answer, and what we said ourselves is no news.
            guard reception.isFromMulticastPort, !reception.isEcho else { return [] }
            if reception.isMulticast { learnWhatOthersAnswered(message, at: now) }
            return contest(message, at: now)
        }
        if message.isProbe, !reception.isEcho { breakTies(message, at: now) }
        takeQuestions(reception, at: now)
        return []
    }

    /// Another host has sent records under names of ours: the name is lost, or claimed anew.
    ///
    /// - Parameters:
    ///   - message: The message, as it was received.
    ///   - now: The instant at which this happens.
    private mutating func contest(_ message: Message, at now: ContinuousClock.Instant) -> [Event] {
        var events: [Event] = []
        for identity in published.keys.sorted() where isContested(identity, by: message) {
            guard var known = published[identity] else { continue }
            contests.add(at: now)
            let outcome = known.claim.meetOther(at: contests.earliest(now, at: now))
            published[identity] = known
            switch outcome {
            case .lost:
                forget(identity)
                events.append(.nameTaken(identity))
            case .contested:
                break
            }
        }
        return events
    }

    /// Ends a publication without a word.
    private mutating func forget(_ identity: Publication.Identity) {
        guard let known = published.removeValue(forKey: identity) else { return }
        let rest = Set(published.values.flatMap(\.publication.records))
        for record in known.publication.records where !rest.contains(record) { dropPending(record) }
        let names = known.publication.names
        for record in lastSent.keys where record.type == .nsec && names.contains(record.name) { dropPending(record) }
    }

    /// Takes a record out of the answers that wait.
    private mutating func dropPending(_ record: ResourceRecord) {
        waitingForEveryone[record] = nil
        lastSent[record] = nil
        for index in waitingForOne.indices { waitingForOne[index].answers.removeAll { $0 == record } }
    }

    /// The message that ends records: they are sent once more with a lifetime of zero.
    ///
    /// Standard: RFC 6762 §10.1.
    private func goodbye(_ records: [ResourceRecord]) -> [OutgoingMessage] {
        guard !records.isEmpty else { return [] }
        let last = records.map { record in
            var record = record
            record.lifetime = 0
            return record
        }
        return [OutgoingMessage(.response(last), to: .everyone)]
    }
}

extension Publication.Identity: Comparable {
    /// Orders the host before services, and services by number.
    ///
    /// - Parameters:
    ///   - left: The one.
    ///   - right: The other.
    package static func < (left: Publication.Identity, right: Publication.Identity) -> Bool {
        switch (left, right) {
        case (.host, .service): true
        case (_, .host): false
        case (.service(let one), .service(let other)): one < other
        }
    }
}

/// How often names were contested lately: after 15 times within 10 seconds every next try waits 5 (RFC 6762 §8.1).
struct ContestCount: Sendable {
    /// When names were contested; conflicts older than ten seconds are left out.
    private var recent: [ContinuousClock.Instant] = []

    /// Counts a conflict.
    mutating func add(at now: ContinuousClock.Instant) {
        recent.removeAll { $0 + .seconds(10) < now }
        recent.append(now)
        if recent.count > 15 { recent.removeFirst() }
    }

    /// The moment at which a try that is planned for `planned` may be made.
    ///
    /// - Parameters:
    ///   - planned: The instant that was planned.
    ///   - now: The instant at which this happens.
    func earliest(_ planned: ContinuousClock.Instant, at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        let isFlood = recent.count >= 15 && recent[0] + .seconds(10) >= now
        return isFlood ? max(planned, now + .seconds(5)) : planned
    }
}
