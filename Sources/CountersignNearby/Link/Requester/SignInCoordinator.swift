internal import Countersign

/// What all conversations of one attempt at signing in share: the screen, and the codes that may be shown on it.
actor SignInCoordinator: RequesterCoordinator {
    /// What the person sees.
    private let screen: any NearbyScreen
    /// The inputs of the attempt.
    private let attempt: AsyncStream<SignInInput>.Continuation
    /// The approvers of the conversations that go on.
    private var approvers: [ConnectionID: NearbyApprover] = [:]
    /// Whose code is on the screen.
    private var shown: ConnectionID?
    /// How many codes may still be shown.
    private(set) var codesLeft = 3

    /// A coordinator without conversations.
    init(screen: any NearbyScreen, attempt: AsyncStream<SignInInput>.Continuation) {
        self.screen = screen
        self.attempt = attempt
    }

    /// A conversation begins.
    func enter(_ id: ConnectionID, _ approver: NearbyApprover) {
        approvers[id] = approver
    }

    /// A conversation is over.
    func leave(_ id: ConnectionID) async {
        await takeCodeAway(of: id)
        approvers[id] = nil
    }

    /// Shows a code, unless another one is on the screen; returns whether it is shown.
    func show(_ code: LinkCode, of id: ConnectionID) async -> Bool {
        guard shown == nil, let approver = approvers[id] else { return false }
        shown = id
        await screen.show(code, for: approver)
        return true
    }

    /// Takes the code of a connection off the screen, if it is the one that is shown.
    func takeCodeAway(of id: ConnectionID) async {
        guard shown == id else { return }
        await screen.takeCodeAway()
        shown = nil
    }

    /// Takes the code that is shown off the screen, unless it is that of a connection: the person has picked another approver.
    func clearScreen(unless kept: ConnectionID?) async {
        guard let shown, shown != kept else { return }
        await takeCodeAway(of: shown)
    }

    /// Tells the person what happens.
    func tell(_ news: RequesterNews, of id: ConnectionID) async {
        guard let approver = approvers[id] else { return }
        switch news {
        case .waiting(let place): await screen.tell(.waiting(place: place), of: approver)
        case .missed: await screen.tell(.missed(codesLeft: codesLeft), of: approver)
        case .askedForDecision: await screen.tell(.askedForDecision, of: approver)
        }
    }

    /// The request is about to leave over a link.
    func prepareRequest(over link: NearbyLinkID, of id: ConnectionID) async {
        await screen.prepareRequest(over: link)
    }

    /// A code was shown for nothing.
    func countMiss() {
        codesLeft -= 1
    }

    /// A connection turned out to lead to a remembered approver.
    func recognize(_ pairing: Pairing, as id: ConnectionID) {
        attempt.yield(.recognized(pairing, id))
    }
}
