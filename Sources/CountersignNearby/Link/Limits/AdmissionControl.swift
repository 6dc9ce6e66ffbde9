/// The limits of an approver's connections together: fair shares of connections, one line of questions, and the window
/// for strangers. It is a value; `ListenerCoordinator` holds it and carries out its decisions.
struct AdmissionControl: Sendable {
    private struct ConnectedRequester: Sendable {
        /// Its entry in the line, whether it has joined it or not.
        var entry: QuestionQueue.Entry
        /// Whether it is authenticated.
        var isTrusted = false
        /// Whether it has joined the line.
        var hasJoined = false
    }

    /// The decision about a first frame, or about a place in the line.
    enum Admission: Sendable, Equatable {
        /// It is admitted; these connections are closed to make room.
        case admitted(evicting: [ConnectionID])
        /// It is refused, with this reason.
        case refused(EndReason)
        /// It is a recording of a paired requester's frame, and is closed without an answer.
        case replayed
    }

    /// Whether strangers are accepted.
    var window = AcceptanceWindow()
    private var requesters: [ConnectionID: ConnectedRequester] = [:]
    private var shared: FairTotal<NearbyNetwork, ConnectionID>
    /// The connections of paired screens and known addresses, so that strangers delay none of them.
    private var reserved: FairTotal<NearbyNetwork, ConnectionID>
    private(set) var line: QuestionQueue
    /// The addresses of screens that the person has approved: as many as an approver has pairings.
    private var known = SecondChanceCache<NearbyAddress, Bool>(capacity: 64)
    /// The keys of first frames with a valid hint. Only paired requesters can make such frames, so strangers cannot
    /// fill the memory.
    private var openings = SecondChanceCache<[UInt8], Bool>(capacity: 8192)

    /// Admission control without connections, its window closed.
    init(limits: ListenerLimits = .standard) {
        shared = FairTotal(of: limits.connections - limits.reserved, countingWithin: limits.window)
        reserved = FairTotal(of: limits.reserved, countingWithin: limits.window)
        line = QuestionQueue(limits: limits)
    }

    /// A requester has connected; returns the connections to be closed, which may be its own.
    mutating func arrive(
        _ id: ConnectionID,
        from address: NearbyAddress,
        at now: ContinuousClock.Instant
    ) -> [ConnectionID] {
        let network = NearbyNetwork(address)
        let entry = QuestionQueue.Entry(id: id, address: address, asker: .stranger(network))
        requesters[id] = ConnectedRequester(entry: entry)
        if known.use(address) != nil, case .admitted(let evicted) = reserved.admit(id, of: network, at: now) {
            return evicted
        }
        return if case .admitted(let evicted) = shared.admit(id, of: network, at: now) { evicted } else { [id] }
    }

    /// Decides about the first frame of a connection, with the pairing that it hints at. A stranger that would find no
    /// place in the line is refused before any key is touched.
    mutating func greet(
        _ id: ConnectionID,
        hinting pairing: PairingID?,
        opening: [UInt8],
        at now: ContinuousClock.Instant
    ) -> Admission {
        guard let requester = requesters[id], hasPart(id) else { return .refused(.busy) }
        guard let pairing else {
            guard window.isOpen(at: now) else { return .refused(.windowClosed) }
            let place = line.place(for: requester.entry, load: load(at: now))
            return if case .admitted = place { .admitted(evicting: []) } else { .refused(.busy) }
        }
        guard openings.peek(opening) == nil else { return .replayed }
        openings.put(true, for: opening)
        requesters[id]?.entry.asker = .paired(pairing)
        let network = NearbyNetwork(requester.entry.address)
        guard !reserved.holds(id), case .admitted(let evicted) = reserved.admit(id, of: network, at: now) else {
            return .admitted(evicting: [])
        }
        shared.release(id)
        return .admitted(evicting: evicted)
    }

    /// Adds a requester that has asked to the line; returns the reason if it may not wait.
    mutating func join(_ id: ConnectionID, at now: ContinuousClock.Instant) -> Admission {
        guard let requester = requesters[id], hasPart(id) else { return .refused(.busy) }
        guard requester.entry.asker.isPaired || window.isOpen(at: now) else { return .refused(.windowClosed) }
        let admission = line.join(requester.entry, at: now, load: load(at: now))
        guard case .admitted(let evicted) = admission else { return admission }
        requesters[id]?.hasJoined = true
        // The line bounds how many of these there are.
        shared.settle(id)
        reserved.settle(id)
        for other in evicted {
            shared.release(other)
            reserved.release(other)
        }
        return admission
    }

    /// Serves the next requester that may ask, if none is served.
    mutating func advance(at now: ContinuousClock.Instant) { line.advance(at: now, load: load(at: now)) }

    /// Removes a requester that was answered from the line; it stays connected.
    mutating func step(outOfLine id: ConnectionID) { line.leave(id) }

    mutating func leave(_ id: ConnectionID) {
        shared.release(id)
        reserved.release(id)
        line.leave(id)
        requesters[id] = nil
    }

    /// The person said "not now", or "no"; a stranger's "no" comes after a code, and does not mute its address. Returns
    /// the pairing that the person may want to forget, if any.
    mutating func refuse(_ id: ConnectionID, isNo: Bool, at now: ContinuousClock.Instant) -> PairingID? {
        guard let entry = requesters[id]?.entry, entry.asker.isPaired || !isNo else { return nil }
        return line.refuse(entry, at: now)
    }

    /// The person said yes: its address is known from now on.
    mutating func approve(_ id: ConnectionID) {
        guard let entry = requesters[id]?.entry else { return }
        known.put(true, for: entry.address)
        line.approve(entry.asker)
    }

    /// It has proved that it is the screen in front of the person.
    mutating func trust(_ id: ConnectionID) { requesters[id]?.isTrusted = true }

    /// The waiting requesters, the next one first.
    func places(at now: ContinuousClock.Instant) -> [ConnectionID] { line.places(load: load(at: now)) }

    /// The connections that are neither paired nor authenticated.
    var strangers: [ConnectionID] {
        requesters.filter { !$0.value.entry.asker.isPaired && !$0.value.isTrusted }.map(\.key)
    }

    /// Whether a requester is being answered: one that is paired, or has joined the line. A connection alone, which
    /// any host can make, does not count.
    var isBusy: Bool { requesters.values.contains { $0.entry.asker.isPaired || $0.hasJoined } }

    /// The number of connections, without displaced ones.
    var connectionCount: Int { shared.count + reserved.count }

    /// Whether a connection was not displaced.
    private func hasPart(_ id: ConnectionID) -> Bool { shared.holds(id) || reserved.holds(id) }

    private func load(at now: ContinuousClock.Instant) -> QuestionQueue.Load {
        let share = shared
        return { share.load(of: $0, at: now) }
    }
}
