/// The state shared by all conversations of one sign-in attempt: the screen, and the codes that may be shown on it.
actor SignInCoordinator: RequesterCoordinator {
    private let screen: any NearbyRequesterDelegate
    private let attempt: AsyncStream<SignInInput>.Continuation
    /// The approvers of the running conversations.
    private var approvers: [ConnectionID: NearbyApprover] = [:]
    /// The connection whose code is on the screen.
    private var shown: ConnectionID?
    /// The running conversations that have shown a code.
    private var withCode: Set<ConnectionID> = []
    /// The maximum number of codes that an attempt shows, at all approvers together.
    private static let mostCodes = 3
    /// The number of codes shown so far, without correctly typed ones.
    private var unprovedCodes = 0
    /// The number of codes that may still be shown after the failed ones.
    private(set) var codesLeft = SignInCoordinator.mostCodes

    /// A coordinator without conversations.
    init(screen: any NearbyRequesterDelegate, attempt: AsyncStream<SignInInput>.Continuation) {
        self.screen = screen
        self.attempt = attempt
    }

    /// A conversation begins.
    func enter(_ id: ConnectionID, _ approver: NearbyApprover) { approvers[id] = approver }

    /// A conversation has ended.
    func leave(_ id: ConnectionID) async {
        await takeCodeAway(of: id)
        approvers[id] = nil
        withCode.remove(id)
    }

    /// Whether a code of this conversation was shown; it has not left.
    func hasShownCode(of id: ConnectionID) -> Bool { withCode.contains(id) }

    /// Shows a code, unless another one is on the screen or the attempt has shown all its codes; returns whether it is
    /// shown.
    ///
    /// Codes are counted when they are shown: a miss is known later, and a conversation that began meanwhile does not
    /// know of it. One that is proved right is given back.
    func show(_ code: LinkCode, of id: ConnectionID) async -> Bool {
        guard shown == nil, unprovedCodes < Self.mostCodes, let approver = approvers[id] else { return false }
        shown = id
        unprovedCodes += 1
        withCode.insert(id)
        await screen.show(code, for: approver)
        return true
    }

    /// Takes the code of a connection off the screen, if it is the one that is shown.
    func takeCodeAway(of id: ConnectionID) async {
        guard shown == id else { return }
        await screen.takeCodeAway()
        // Another code may have been shown meanwhile.
        if shown == id { shown = nil }
    }

    /// Removes the code from the screen, unless it belongs to `kept`, because the person has picked another approver.
    func clearScreen(unless kept: ConnectionID?) async {
        guard let shown, shown != kept else { return }
        await takeCodeAway(of: shown)
    }

    /// Reports the progress with an approver to the person.
    func tell(_ progress: RequesterProgress, of id: ConnectionID) async {
        guard let approver = approvers[id] else { return }
        switch progress {
        case .waiting(let place): await screen.tell(.waiting(place: place), of: approver)
        case .missed: await screen.tell(.missed(codesLeft: codesLeft), of: approver)
        case .askedForDecision: await screen.tell(.askedForDecision, of: approver)
        }
    }

    /// The request is about to be sent over a link.
    func prepareRequest(over link: NearbyLinkID, of id: ConnectionID) async { await screen.prepareRequest(over: link) }

    /// The approver has proved that the code was typed correctly: it does not count as failed.
    func giveCodeBack() { unprovedCodes -= 1 }

    /// A code was shown without success; after the last one the attempt ends.
    func countMiss() {
        codesLeft -= 1
        if codesLeft == 0 { attempt.yield(.codesUsedUp) }
    }

    /// A connection leads to a paired approver.
    func recognize(_ pairing: Pairing, as id: ConnectionID) { attempt.yield(.recognized(pairing, id)) }
}
