internal import NIOCore

/// Publishes hosts and services on one link, answers queries for them, and defends their names.
///
/// A link is one interface with IPv4 and IPv6; multicast messages are sent over both. The responder is a value without
/// input or output: the caller passes the time, and sends the returned messages.
///
/// Standard: RFC 6762 §6 to §10.
package struct LinkResponder: Sendable {
    /// Events of names.
    package enum Event: Sendable, Equatable {
        /// The name is ours on this link, and was announced.
        case established(Publication.Identity)
        /// Another host has the name: the publication must be published again under another name.
        case nameTaken(Publication.Identity)
    }

    /// A publication and the state of its claim.
    struct ClaimedPublication: Sendable {
        /// The published records.
        var publication: Publication
        var claim: NameClaim
    }

    var published: [Publication.Identity: ClaimedPublication] = [:]
    var lastSent: [ResourceRecord: ContinuousClock.Instant] = [:]
    /// The multicast answers that wait, so that several are sent in one message.
    var waitingForEveryone: [ResourceRecord: DelayedMulticastAnswer] = [:]
    /// The unicast answers that wait.
    var waitingForOne: [DelayedUnicastResponse] = []
    /// The truncated queries whose known answers are still arriving, by querier.
    var questionsInParts: [SocketAddress: TruncatedQuery] = [:]
    /// The addresses of this machine on all links; records with these are no conflict.
    package var ownAddresses: Set<[UInt8]> = []
    /// Whether unicast answers reach us: only if no other program on this machine listens on the port.
    package var ownsPort: Bool
    /// Draws delays.
    let jitter: Jitter
    /// Counts conflicts, which delay the next claim.
    var contests = ContestCount()

    /// A responder without publications.
    package init(jitter: Jitter, ownsPort: Bool = true) {
        self.jitter = jitter
        self.ownsPort = ownsPort
    }

    /// Begins to claim the names of a publication, which replaces one of the same identity without a goodbye.
    ///
    /// - Parameters:
    ///   - start: The instant of the first probe, or `nil` for a random moment within 250 ms. Claims that begin
    ///     together probe together.
    ///   - defendedUntil: The instant until which other hosts that claim the names are not believed; `nil` if they are.
    package mutating func publish(
        _ publication: Publication,
        as identity: Publication.Identity,
        startingAt start: ContinuousClock.Instant? = nil,
        defendedUntil: ContinuousClock.Instant? = nil,
        at now: ContinuousClock.Instant
    ) {
        forget(identity)
        let planned = start ?? now + jitter.span(0...250)
        let claim = NameClaim(
            startingAt: defendedUntil == nil ? contests.earliest(planned, at: now) : planned,
            defendedUntil: defendedUntil)
        published[identity] = ClaimedPublication(publication: publication, claim: claim)
    }

    /// The start for several publications that begin together.
    ///
    /// - Parameter isPrompted: whether the cause is one that many hosts notice at once, like a network that came up:
    ///   then the first probe is delayed at random. An app that begins to advertise needs no delay (RFC 6762 §8.1).
    package func start(at now: ContinuousClock.Instant, isPrompted: Bool = true) -> ContinuousClock.Instant {
        isPrompted ? now + jitter.span(0...250) : now
    }

    /// Replaces the records of names that stay the same, and announces them; removed records get a goodbye.
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
        // A record that is replaced by one of the same name and type needs no goodbye: the cache-flush bit removes it.
        // An address does: the new one is announced from itself, and receivers may let a host flush only what came from
        // the same address.
        let withdrawn = gone.filter { record in
            record.isAddress || !publication.unique.contains { $0.name == record.name && $0.type == record.type }
        }
        // It has no cache-flush bit, which would remove the addresses that stay, too.
        return wasOurs ? goodbye(withdrawn.map(\.asQuestioned)) : []
    }

    /// Ends a publication, with a goodbye for records that no other publication of this host has.
    package mutating func withdraw(_ identity: Publication.Identity) -> [OutgoingMessage] {
        guard let known = published[identity] else { return [] }
        forget(identity)
        guard known.claim.isOurs else { return [] }
        let rest = Set(published.values.flatMap(\.publication.records))
        return goodbye(known.publication.records.filter { !rest.contains($0) })
    }

    /// The next due time of ``advance(at:)``.
    package var deadline: ContinuousClock.Instant? {
        let claims = published.values.compactMap(\.claim.deadline)
        let answers = waitingForEveryone.values.map(\.due) + waitingForOne.map(\.due)
        return (claims + answers + questionsInParts.values.map(\.due)).min()
    }

    /// Performs due work.
    package mutating func advance(at now: ContinuousClock.Instant) -> (dispatches: [OutgoingMessage], events: [Event]) {
        answerQuestionsInParts(at: now)
        let steps = advanceClaims(at: now)
        return (steps.dispatches + sendAnswers(at: now), steps.events)
    }

    /// Handles a message from the link.
    package mutating func receive(_ reception: ReceivedMessage, at now: ContinuousClock.Instant) -> [Event] {
        let message = reception.message
        guard message.operation == 0, message.failure == 0 else { return [] }
        if message.isResponse {
            // Responses from plain resolvers' ports and our own messages are ignored.
            guard reception.isFromMulticastPort, !reception.isEcho else { return [] }
            if reception.isMulticast { learnWhatOthersAnswered(message, at: now) }
            return contest(message, at: now)
        }
        let events = message.isProbe && !reception.isEcho ? breakTies(message, at: now) : []
        takeQuestions(reception, at: now)
        return events
    }

    /// Handles records of another host under names of ours: the name is lost, or claimed again.
    private mutating func contest(_ message: Message, at now: ContinuousClock.Instant) -> [Event] {
        var events: [Event] = []
        for identity in published.keys.sorted() where isContested(identity, by: message) {
            guard var known = published[identity] else { continue }
            if !known.claim.isDefended(at: now) { contests.add(at: now) }
            let outcome = known.claim.meetOther(at: now, probingFrom: contests.earliest(now, at: now))
            published[identity] = known
            switch outcome {
            case .lost:
                forget(identity)
                events.append(.nameTaken(identity))
            case .contested, .defended: break
            }
        }
        return events
    }

    /// Removes a publication without a goodbye.
    mutating func forget(_ identity: Publication.Identity) {
        guard let known = published.removeValue(forKey: identity) else { return }
        let rest = Set(published.values.flatMap(\.publication.records))
        for record in known.publication.records where !rest.contains(record) { dropPending(record) }
        let names = known.publication.names
        for record in lastSent.keys where record.type == .nsec && names.contains(record.name) { dropPending(record) }
    }

    /// Removes a record from the answers that wait.
    private mutating func dropPending(_ record: ResourceRecord) {
        waitingForEveryone[record] = nil
        lastSent[record] = nil
        for index in waitingForOne.indices { waitingForOne[index].answers.removeAll { $0 == record } }
    }

    /// The goodbye for records: they are sent again with a lifetime of zero.
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

extension ResourceRecord {
    /// Whether it has an address of a host.
    fileprivate var isAddress: Bool {
        if case .address = data { true } else { false }
    }
}

extension Publication.Identity: Comparable {
    /// Orders the host before services, and services by number.
    package static func < (left: Publication.Identity, right: Publication.Identity) -> Bool {
        switch (left, right) {
        case (.host, .service): true
        case (_, .host): false
        case (.service(let one), .service(let other)): one < other
        }
    }
}

/// Counts recent conflicts: after 15 within 10 seconds, every further attempt waits 5 seconds (RFC 6762 §8.1).
struct ContestCount: Sendable {
    /// The instants of conflicts within the last ten seconds.
    private var recent: [ContinuousClock.Instant] = []

    /// Counts a conflict.
    mutating func add(at now: ContinuousClock.Instant) {
        recent.removeAll { $0 + .seconds(10) < now }
        recent.append(now)
        if recent.count > 15 { recent.removeFirst() }
    }

    /// The earliest instant of an attempt that is planned for `planned`.
    func earliest(_ planned: ContinuousClock.Instant, at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        let isFlood = recent.count >= 15 && recent[0] + .seconds(10) >= now
        return isFlood ? max(planned, now + .seconds(5)) : planned
    }
}
