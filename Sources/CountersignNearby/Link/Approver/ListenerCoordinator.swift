/// All conversations of one approver, and their shared state: admission control, and the hints of pairings.
actor ListenerCoordinator {
    private let settings: NearbySettings
    /// The app, which asks the person.
    private let approval: any NearbyListenerDelegate
    /// The limits for requesters that are not paired ("strangers").
    nonisolated let limits: ListenerLimits
    /// Decides which connections are admitted.
    private var gate: AdmissionControl
    private var conversations: [ConnectionID: Conversation<ApproverInput>] = [:]
    private var lastNumber: UInt64 = 0
    /// The pairings, and the hints that were computed for them.
    private var known: (pairings: [Pairing], hints: PairingHints)?
    /// The queue position that was last sent to each connection; 0 for the served one.
    private var told: [ConnectionID: Int] = [:]
    /// The task that serves the next requester when its question may be put, and its time.
    private var turn: (at: ContinuousClock.Instant, task: Task<Void, Never>)?
    /// Whether connections are no longer accepted.
    private var isStopped = false

    /// A coordinator without conversations, its window closed.
    init(settings: NearbySettings, approval: any NearbyListenerDelegate, limits: ListenerLimits) {
        self.settings = settings
        self.approval = approval
        self.limits = limits
        gate = AdmissionControl(limits: limits)
    }

    private var now: ContinuousClock.Instant { settings.clock.instant() }

    // The window.

    /// Opens the window for strangers; returns from when on that is possible, if it is not now.
    func openWindow() -> ContinuousClock.Instant? {
        // Another program of this app, or this one before a restart, may have closed it.
        if let left = settings.closedFor() {
            gate.window.bar(until: now + min(left, AcceptanceWindow.closedAfterMisses))
        }
        return gate.window.open(at: now)
    }

    func closeWindow() {
        gate.window.close()
        dismiss(gate.strangers, .windowClosed)
    }

    /// Whether strangers are accepted.
    var isWindowOpen: Bool { gate.window.isOpen(at: now) }

    // Conversations.

    /// Registers a new connection; `nil` when the approver has stopped.
    func arrive(from address: NearbyAddress) -> (ConnectionID, Conversation<ApproverInput>)? {
        guard !isStopped else { return nil }
        lastNumber += 1
        let id = ConnectionID(lastNumber)
        let conversation = Conversation<ApproverInput>(clock: settings.clock)
        conversations[id] = conversation
        dismiss(gate.arrive(id, from: address, at: now), .busy)
        return (id, conversation)
    }

    /// Whether a requester is being answered.
    var isBusy: Bool { gate.isBusy }

    /// Decides whether the first frame of a connection is answered.
    func greet(_ id: ConnectionID, hinting pairing: PairingID?, opening: LinkPublicKey) -> AdmissionControl.Admission {
        let admission = gate.greet(id, hinting: pairing, opening: opening.bytes, at: now)
        if case .admitted(let evicted) = admission { dismiss(evicted, .busy) }
        return admission
    }

    func leave(_ id: ConnectionID) {
        conversations[id] = nil
        told[id] = nil
        gate.leave(id)
        moveUp()
    }

    /// Ends all conversations, and accepts no more.
    func stop() {
        isStopped = true
        turn?.task.cancel()
        dismiss(Array(conversations.keys), .answeredElsewhere)
    }

    /// The hints of paired requesters; computed again when the pairings change.
    func hints() -> PairingHints {
        let pairings = settings.currentPairings(as: .approver)
        if let known, known.pairings.map(\.id) == pairings.map(\.id), known.pairings == pairings { return known.hints }
        let hints = PairingHints(for: pairings)
        known = (pairings, hints)
        return hints
    }

    // The queue.

    /// Adds a requester that has asked to the queue; returns why it may not wait, if so.
    func join(_ id: ConnectionID) -> EndReason? {
        switch gate.join(id, at: now) {
        case .admitted(let evicted): dismiss(evicted, .busy)
        case .refused(let reason): return reason
        case .replayed: return .busy
        }
        // It may be at the head already, with another code attempt.
        told[id] = nil
        moveUp()
        return nil
    }

    /// The person has answered a requester: the next one is served.
    func step(outOfLine id: ConnectionID) {
        gate.step(outOfLine: id)
        moveUp()
    }

    /// Serves the next requester, and sends the conversations their queue positions, if these have changed.
    private func moveUp() {
        guard !isStopped else { return }
        let now = now
        gate.advance(at: now)
        if let head = gate.line.head, told[head] != 0 {
            told[head] = 0
            conversations[head]?.act(.reachHead)
        }
        for (index, id) in gate.places(at: now).enumerated() where told[id] != index + 1 {
            told[id] = index + 1
            conversations[id]?.act(.move(toPlace: index + 1))
        }
        let next = gate.line.nextTurn(after: now)
        guard turn?.at != next else { return }
        turn?.task.cancel()
        turn = next.map { (at: $0, task: moveUp(at: $0, by: settings.clock)) }
    }

    /// Serves the next requester at the instant that its question becomes allowed, even if nothing else happens then.
    private nonisolated func moveUp(at instant: ContinuousClock.Instant, by clock: TimeSource) -> Task<Void, Never> {
        Task { [weak self] in
            guard (try? await clock.sleep(until: instant)) != nil else { return }
            await self?.moveUp()
        }
    }

    // The person.

    /// The person has refused; returns the pairing that they may want to forget, if any.
    func refuse(_ id: ConnectionID, isNo: Bool) -> PairingID? { gate.refuse(id, isNo: isNo, at: now) }

    /// The person has approved.
    func approve(_ id: ConnectionID) { gate.approve(id) }

    /// A requester is authenticated.
    func trust(_ id: ConnectionID) { gate.trust(id) }

    /// Counts a wrong code; after too many the window is closed, and that is stored.
    func miss(by id: ConnectionID) async {
        guard gate.window.miss(at: now) else { return }
        settings.close(for: AcceptanceWindow.closedAfterMisses)
        dismiss(gate.strangers.filter { $0 != id }, .windowClosed)
        conversations[id]?.act(.closeAfterMisses)
        await approval.windowClosedAfterMisses()
    }

    private func dismiss(_ ids: [ConnectionID], _ reason: EndReason) {
        for id in ids { conversations[id]?.act(.leave(reason)) }
    }
}
