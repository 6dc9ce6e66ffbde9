internal import Countersign

/// All conversations of one approver, and what they share: the gate, and the hints of the remembered.
actor ListenerCoordinator {
    /// What the app says about itself.
    private let settings: NearbySettings
    /// What asks the person.
    private let approval: any NearbyApproval
    /// How much strangers may ask.
    private let limits: ListenerLimits
    /// Decides who may go on.
    private var gate: ListenerGate
    /// The conversations that go on.
    private var conversations: [ConnectionID: Conversation<ApproverAct>] = [:]
    /// The number of the last connection.
    private var lastNumber: UInt64 = 0
    /// The pairings that the hints were computed for.
    private var known: (pairings: [Pairing], hints: PairingHints)?
    /// Who was told last that it is served, and where the others were told that they stand.
    private var told: [ConnectionID: Int] = [:]
    /// Whether no more connections are taken.
    private var isStopped = false

    /// A coordinator without conversations, its window closed.
    ///
    /// - Parameters:
    ///   - settings: What the app says about this device.
    ///   - approval: What asks the person.
    ///   - limits: How much may be asked.
    init(settings: NearbySettings, approval: any NearbyApproval, limits: ListenerLimits) {
        self.settings = settings
        self.approval = approval
        self.limits = limits
        gate = ListenerGate(limits: limits)
    }

    /// The instant.
    private var now: ContinuousClock.Instant { settings.clock.instant() }

    // The window.

    /// Lets strangers be heard; returns from when on that is possible, when it is not now.
    func openWindow() -> ContinuousClock.Instant? {
        // Another program of this app, or this one before it was started anew, may have closed it.
        if let left = settings.closedFor() { gate.barWindow(until: now + min(left, limits.closedAfterMisses)) }
        return gate.openWindow(at: now)
    }

    /// Lets no strangers be heard any more.
    func closeWindow() {
        dismiss(gate.closeWindow(), .windowClosed)
    }

    /// Whether strangers are heard.
    var isWindowOpen: Bool { gate.isWindowOpen(at: now) }

    // Conversations.

    /// A place for a new connection; `nil` when the approver has stopped.
    func arrive(from address: NearbyAddress) -> (ConnectionID, Conversation<ApproverAct>)? {
        guard !isStopped else { return nil }
        lastNumber += 1
        let id = ConnectionID(lastNumber)
        let conversation = Conversation<ApproverAct>(clock: settings.clock)
        conversations[id] = conversation
        dismiss(gate.arrive(id, from: address), .busy)
        return (id, conversation)
    }

    /// Whether a requester is connected.
    var isBusy: Bool { !conversations.isEmpty }

    /// A first frame has arrived: whether it is answered.
    func greet(_ id: ConnectionID, hinting pairing: PairingID?) -> ListenerGate.Admission {
        let admission = gate.greet(id, hinting: pairing, at: now)
        if case .admitted(let evicted) = admission { dismiss(evicted, .busy) }
        return admission
    }

    /// A connection is closed.
    func leave(_ id: ConnectionID) {
        conversations[id] = nil
        told[id] = nil
        gate.leave(id)
        moveUp()
    }

    /// Ends all conversations, and takes no more.
    func stop() {
        isStopped = true
        dismiss(Array(conversations.keys), .answeredElsewhere)
    }

    /// What remembered requesters hint with; computed anew when other ones are remembered.
    func hints() -> PairingHints {
        let pairings = settings.currentPairings(as: .approver)
        if let known, known.pairings.map(\.id) == pairings.map(\.id), known.pairings == pairings { return known.hints }
        let hints = PairingHints(for: pairings)
        known = (pairings, hints)
        return hints
    }

    // The line.

    /// A requester has asked and waits for its turn; returns why it may not.
    func join(_ id: ConnectionID) -> EndReason? {
        if let reason = gate.join(id, at: now) { return reason }
        // It may be at the head already, with another attempt at a code.
        told[id] = nil
        moveUp()
        return nil
    }

    /// The person is done with a requester: the next one is served.
    func step(outOfLine id: ConnectionID) {
        gate.step(outOfLine: id)
        moveUp()
    }

    /// Tells the conversations where they stand, as far as that has changed.
    private func moveUp() {
        if let head = gate.head, told[head] != 0 {
            told[head] = 0
            conversations[head]?.act(.reachHead)
        }
        for (index, id) in gate.places.enumerated() where told[id] != index + 1 {
            told[id] = index + 1
            conversations[id]?.act(.move(toPlace: index + 1))
        }
    }

    // The person.

    /// Counts a question to the person; returns why it may not be asked.
    func prompt(_ id: ConnectionID) -> EndReason? {
        gate.prompt(id, at: now)
    }

    /// The person has refused; returns the pairing that they may want to forget.
    func refuse(_ id: ConnectionID, isNo: Bool) -> PairingID? {
        gate.refuse(id, isNo: isNo, at: now)
    }

    /// The person has approved.
    func approve(_ id: ConnectionID) {
        gate.approve(id)
    }

    /// A requester is authenticated.
    func trust(_ id: ConnectionID) {
        gate.trust(id)
    }

    /// A code went wrong; after too many the window is closed, and written down as closed.
    func miss(by id: ConnectionID) async {
        guard gate.miss(at: now) else { return }
        settings.close(for: limits.closedAfterMisses)
        dismiss(gate.strangers.filter { $0 != id }, .windowClosed)
        conversations[id]?.act(.closeAfterMisses)
        await approval.windowClosedAfterMisses()
    }

    /// Ends conversations.
    private func dismiss(_ ids: [ConnectionID], _ reason: EndReason) {
        for id in ids { conversations[id]?.act(.leave(reason)) }
    }
}
