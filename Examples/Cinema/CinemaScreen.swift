import CountersignNearby

/// The app on the TV.
struct CinemaScreen: NearbyRequesterDelegate {
    private let box: TicketBox
    private let requester: NearbyRequester

    init(box: TicketBox, on interfaces: InterfaceSelection) throws {
        self.box = box
        requester = NearbyRequester(
            try Cinema.settings(calling: "Living room TV"), discovery: try LocalNetwork.discovery(on: interfaces))
    }

    func run() async throws {
        guard let purpose = NearbyPurpose("play films in your name") else { return }
        Cinema.say("Looking for a phone nearby.")
        switch await requester.signIn(NearbySignInOptions(.bytes(purpose: purpose)), on: self) {
        case .granted(let granted):
            guard case .bytes(let ticket) = granted.grant else { throw CinemaError() }
            let text = String(decoding: ticket, as: UTF8.self)
            Cinema.say("Welcome, \(try await box.redeem(text))!")
            // Worth nothing any more, or it would not be shown.
            Cinema.say("\(granted.approver.shown) gave the ticket \(text)")
        case .declined: throw CinemaError(description: "The phone said no.")
        case .missesUsedUp: throw CinemaError(description: "Too many wrong digits.")
        case .failed, .timedOut, .stopped: throw CinemaError(description: "No phone has answered.")
        }
    }

    /// The only one is asked by itself; among several the person chooses.
    func show(_ approvers: [NearbyApprover]) async {
        guard approvers.count > 1 else { return }
        for (place, approver) in approvers.enumerated() { Cinema.say("\(place + 1) \(approver.shown)") }
        Cinema.say("Which one? Type its number.")
        // On the side: the search goes on, and another list may follow.
        Task {
            guard let number = await Cinema.typed().flatMap({ Int($0) }), approvers.indices.contains(number - 1)
            else { return }
            requester.choose(approvers[number - 1].id)
        }
    }

    func show(_ code: LinkCode, for approver: NearbyApprover) async {
        Cinema.say("Type \(code.shown) in the app on ‘\(approver.shown)’.")
    }

    func takeCodeAway() async {
        Cinema.say("That code is over.")
    }

    func tell(_ progress: NearbyProgress, of approver: NearbyApprover) async {
        switch progress {
        case .missed(let left):
            Cinema.say(left > 0 ? "That did not work. Press Enter for another code." : "That did not work.")
            guard left > 0 else { return }
            Task { if await Cinema.typed() != nil { requester.tryAgain() } }
        case .busy: Cinema.say("‘\(approver.shown)’ is busy and will be asked again.")
        case .ended: Cinema.say("‘\(approver.shown)’ can't help now.")
        case .asking, .waiting, .askedForDecision: break
        }
    }
}
