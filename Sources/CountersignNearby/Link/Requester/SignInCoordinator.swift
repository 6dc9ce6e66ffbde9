internal import Countersign

/// What all conversations of one attempt at signing in share: the screen, and the codes that may be shown on it.
actor SignInCoordinator: RequesterCoordinator {
    private let screen: any NearbyScreen
    private let attempt: AsyncStream<SignInInput>.Continuation
    private var approvers: [ConnectionID: NearbyApprover] = [:]
    /// Whose code is on the screen.
    private var shown: ConnectionID?
    private(set) var codesLeft = 3

    init(screen: any NearbyScreen, attempt: AsyncStream<SignInInput>.Continuation) {
        self.screen = screen
        self.attempt = attempt
    }

    func enter(_ id: ConnectionID, _ approver: NearbyApprover) {
        approvers[id] = approver
    }

    func leave(_ id: ConnectionID) async {
        await takeCodeAway(of: id)
        approvers[id] = nil
    }

    func show(_ code: LinkCode, of id: ConnectionID) async -> Bool {
        guard shown == nil, let approver = approvers[id] else { return false }
        shown = id
        await screen.show(code, for: approver)
        return true
    }

    func takeCodeAway(of id: ConnectionID) async {
        guard shown == id else { return }
        await screen.takeCodeAway()
        shown = nil
    }

    func tell(_ news: RequesterNews, of id: ConnectionID) async {
        guard let approver = approvers[id] else { return }
        switch news {
        case .waiting(let place): await screen.tell(.waiting(place: place), of: approver)
        case .missed: await screen.tell(.missed(codesLeft: codesLeft), of: approver)
        case .askedForDecision: await screen.tell(.askedForDecision, of: approver)
        }
    }

    func prepareRequest(over link: NearbyLinkID, of id: ConnectionID) async {
        await screen.prepareRequest(over: link)
    }

    func countMiss() {
        codesLeft -= 1
    }

    func recognize(_ pairing: Pairing, as id: ConnectionID) {
        attempt.yield(.recognized(pairing, id))
    }
}
