internal import Countersign

/// All conversations of one approver, and what they share: the gate, and the hints of the remembered.
actor ListenerCoordinator {
    private let settings: NearbySettings
    private let approval: any NearbyApproval
    private var gate: ListenerGate
    private var conversations: [ConnectionID: Conversation<ApproverAct>] = [:]
    private var lastNumber: UInt64 = 0
    private var known: (pairings: [Pairing], hints: PairingHints)?
    /// Who was told last that it is served, and where the others were told that they stand.
    private var told: [ConnectionID: Int] = [:]
    private var isStopped = false

    init(settings: NearbySettings, approval: any NearbyApproval, limits: ListenerLimits) {
        self.settings = settings
        self.approval = approval
        gate = ListenerGate(limits: limits)
    }

    private var now: ContinuousClock.Instant { settings.clock.instant() }

    // The window.

    func openWindow() -> ContinuousClock.Instant? {
        gate.openWindow(at: now)
    }

    func closeWindow() {
        dismiss(gate.closeWindow(), .windowClosed)
    }

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

    /// Whether somebody is being answered.
    var isBusy: Bool { !conversations.isEmpty }

    func greet(_ id: ConnectionID, hinting pairing: PairingID?) -> ListenerGate.Admission {
        let admission = gate.greet(id, hinting: pairing, at: now)
        if case .admitted(let evicted) = admission { dismiss(evicted, .busy) }
        return admission
    }

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

    func join(_ id: ConnectionID) -> EndReason? {
        if let reason = gate.join(id, at: now) { return reason }
        // It may be at the head already, with another attempt at a code.
        told[id] = nil
        moveUp()
        return nil
    }

    func step(outOfLine id: ConnectionID) {
        gate.step(outOfLine: id)
        moveUp()
    }

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

    func prompt(_ id: ConnectionID) -> EndReason? {
        gate.prompt(id, at: now)
    }

    func refuse(_ id: ConnectionID, isNo: Bool) -> PairingID? {
        gate.refuse(id, isNo: isNo, at: now)
    }

    func approve(_ id: ConnectionID) {
        gate.approve(id)
    }

    func trust(_ id: ConnectionID) {
        gate.trust(id)
    }

    func miss(by id: ConnectionID) async {
        guard gate.miss(at: now) else { return }
        dismiss(gate.strangers.filter { $0 != id }, .windowClosed)
        conversations[id]?.act(.closeAfterMisses)
        await approval.windowClosedAfterMisses()
    }

    private func dismiss(_ ids: [ConnectionID], _ reason: EndReason) {
        for id in ids { conversations[id]?.act(.leave(reason)) }
    }
}
