package import Countersign

/// What an approver allows all its connections together: handshakes, places in the queue, questions to the person, and
/// wrong codes. It is a value; `ListenerCoordinator` holds it and carries out its decisions.
package struct AdmissionControl: Sendable {
    /// A requester that is connected.
    private struct ConnectedRequester: Sendable {
        /// Where it is.
        let address: NearbyAddress
        /// The pairing whose hint it gave.
        var pairing: PairingID?
        /// Whether it is authenticated.
        var isTrusted = false
        /// Whether its address had not waited lately, and was not hasty, when it joined the queue.
        var isNewcomer = true
        /// Whether it has joined the queue.
        var hasJoined = false
        /// Whether the person was asked about it. It asks again only after the person has answered.
        var wasAsked = false

        /// The key under which its questions are counted.
        var source: PromptLimiter.PromptSource { pairing.map { .paired($0) } ?? .stranger(address) }
    }

    /// The connected requesters.
    private var requesters: [ConnectionID: ConnectedRequester] = [:]
    /// The requesters in a handshake.
    private var handshakes: HandshakeSlots
    /// The queue of requesters.
    private var line: WaitingQueue
    /// The addresses of strangers that have joined the queue, or tried to, lately; bounded by the handshakes that are
    /// allowed.
    private var waited: RecentEvents<NearbyAddress>
    /// Whether strangers are accepted.
    private var window: AcceptanceWindow
    /// How often the person was asked.
    private var prompts: PromptLimiter
    /// The keys of first frames with a valid hint. Only remembered requesters can make such frames, so strangers cannot
    /// fill the memory.
    private var openings = SecondChanceCache<[UInt8], Bool>(capacity: 8192)

    /// Admission control without connections, its window closed.
    ///
    /// - Parameters:
    ///   - limits: How much may be asked.
    ///   - random: Where random bytes come from.
    package init(limits: ListenerLimits = .standard, drawingFrom random: RandomSource) {
        handshakes = HandshakeSlots(limits: limits)
        line = WaitingQueue(longest: limits.line)
        waited = RecentEvents(within: limits.promptSpan)
        window = AcceptanceWindow(limits: limits)
        prompts = PromptLimiter(limits: limits, drawingFrom: random)
    }

    // The window.

    /// Opens the window for strangers; returns from when on that is possible, if it is not now.
    package mutating func openWindow(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        window.open(at: now)
    }

    /// Keeps the window closed until an instant, because too many codes were wrong.
    package mutating func barWindow(until instant: ContinuousClock.Instant) {
        window.bar(until: instant)
    }

    /// Closes the window; returns the connections that must be closed.
    package mutating func closeWindow() -> [ConnectionID] {
        window.close()
        return strangers
    }

    /// Whether strangers are accepted.
    package func isWindowOpen(at now: ContinuousClock.Instant) -> Bool { window.isOpen(at: now) }

    // The handshake.

    /// A requester has connected; returns the connections to be closed for it.
    package mutating func arrive(
        _ id: ConnectionID,
        from address: NearbyAddress,
        at now: ContinuousClock.Instant
    ) -> [ConnectionID] {
        requesters[id] = ConnectedRequester(address: address)
        return handshakes.arrive(id, from: address, at: now)
    }

    /// The decision about a first frame, or about a place in the queue.
    package enum Admission: Sendable, Equatable {
        /// It is admitted; these connections are closed to make room.
        case admitted(evicting: [ConnectionID])
        /// It gets an unencrypted refusal with this reason.
        case refused(EndReason)
        /// It is a recording of a remembered requester's frame, and is closed without an answer.
        case replayed
    }

    /// Decides about the first frame of a connection, with the pairing that it hints at.
    ///
    /// - Parameters:
    ///   - id: Which connection it is.
    ///   - pairing: The pairing that is meant; `nil` when there is none.
    ///   - opening: The requester's key in the frame, which is new for each connection.
    ///   - now: The instant at which this happens.
    package mutating func greet(
        _ id: ConnectionID,
        hinting pairing: PairingID?,
        opening: [UInt8],
        at now: ContinuousClock.Instant
    ) -> Admission {
        handshakes.speak(id)
        if pairing != nil {
            guard openings.peek(opening) == nil else { return .replayed }
            openings.put(true, for: opening)
        }
        requesters[id]?.pairing = pairing
        if pairing != nil { return .admitted(evicting: handshakes.hint(id)) }
        handshakes.noteFirstFrame(of: id, at: now)
        guard window.isOpen(at: now) else { return .refused(.windowClosed) }
        return handshakes.start(id, at: now) ? .admitted(evicting: []) : .refused(.busy)
    }

    // The queue.

    /// Adds a requester that has asked to the queue; says why it may not wait, if so.
    package mutating func join(_ id: ConnectionID, at now: ContinuousClock.Instant) -> Admission {
        handshakes.leave(id, at: now)
        guard let requester = requesters[id] else { return .refused(.busy) }
        guard requester.pairing != nil || window.isOpen(at: now) else { return .refused(.windowClosed) }
        var standing = WaitingQueue.Standing.paired
        if requester.pairing == nil, line.head != id, !line.places.contains(id) {
            let hasWaited = waited.count(of: requester.address, at: now) > 0
            let isHasty = handshakes.isHasty(requester.address, at: now)
            standing = isHasty ? .hasty : hasWaited ? .returning : .newcomer
            requesters[id]?.isNewcomer = standing == .newcomer
            waited.add(requester.address, at: now)
            prompts.enter(requester.address, at: now)
        }
        guard let evicted = line.join(id, as: standing) else { return .refused(.busy) }
        requesters[id]?.hasJoined = true
        return .admitted(evicting: evicted)
    }

    /// Removes a requester that was answered or has left from the queue: the next one moves up.
    package mutating func step(outOfLine id: ConnectionID) {
        line.leave(id)
    }

    /// Its connection is closed.
    package mutating func leave(_ id: ConnectionID, at now: ContinuousClock.Instant) {
        handshakes.leave(id, at: now)
        line.leave(id)
        requesters[id] = nil
    }

    /// The requester that is served.
    package var head: ConnectionID? { line.head }

    /// The waiting requesters, the next one first.
    package var places: [ConnectionID] { line.places }

    // The person.

    /// Counts a question to the person; returns why it may not be asked, if so.
    package mutating func prompt(_ id: ConnectionID, at now: ContinuousClock.Instant) -> EndReason? {
        guard let requester = requesters[id] else { return .busy }
        // Those in the queue take part in a draw, however long they have waited.
        for other in [id] + line.places {
            if let waiting = requesters[other], waiting.pairing == nil { prompts.enter(waiting.address, at: now) }
        }
        let handshakes = handshakes
        let refused = prompts.ask(
            requester.source,
            isNewcomer: requester.isNewcomer,
            isRepeated: requester.wasAsked,
            at: now
        ) { address in !handshakes.isHasty(address, at: now) }
        if refused == nil { requesters[id]?.wasAsked = true }
        return refused
    }

    /// The person said "not now", or "no"; a stranger's "no" comes after a code, and does not mute its address. Returns
    /// the pairing that the person may want to forget, if any.
    ///
    /// - Parameters:
    ///   - id: Which connection it is.
    ///   - isNo: Whether they said no, and not merely "not now".
    ///   - now: The instant at which this happens.
    package mutating func refuse(
        _ id: ConnectionID,
        isNo: Bool,
        at now: ContinuousClock.Instant
    ) -> PairingID? {
        guard let requester = requesters[id], requester.pairing != nil || !isNo else { return nil }
        return prompts.refuse(requester.source, at: now) ? requester.pairing : nil
    }

    /// The person said yes.
    package mutating func approve(_ id: ConnectionID) {
        requesters[id]?.isTrusted = true
        if let pairing = requesters[id]?.pairing { prompts.approve(pairing) }
    }

    /// It has proved that it is the screen in front of the person.
    package mutating func trust(_ id: ConnectionID) {
        requesters[id]?.isTrusted = true
    }

    /// Counts a wrong code, or a requester that disconnected after a nonce was sent. Returns whether that closes the
    /// window.
    package mutating func miss(at now: ContinuousClock.Instant) -> Bool {
        window.miss(at: now)
    }

    /// The connections that are neither paired nor authenticated.
    package var strangers: [ConnectionID] {
        requesters.filter { $0.value.pairing == nil && !$0.value.isTrusted }.map(\.key)
    }

    /// Whether a requester is being answered: one that is remembered, or has joined the queue. A connection alone,
    /// which any host can make, does not count.
    package var isBusy: Bool { requesters.values.contains { $0.pairing != nil || $0.hasJoined } }

    /// How many handshakes are under way.
    package var handshakeCount: Int { handshakes.count }
}
