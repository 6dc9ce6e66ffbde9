import CountersignNearby

/// The app on the TV.
struct CinemaScreen: NearbyScreen {
    let box: TicketBox

    func run(on discovery: any Discovery) async throws {
        guard let purpose = NearbyPurpose("play films in your name") else { return }
        let channel = NearbyChannel(try Cinema.settings(calling: "Living room TV"), discovery: discovery)
        switch await channel.signIn(NearbyWish(.bytes(purpose: purpose)), on: self) {
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

    func show(_ approvers: [NearbyApprover]) async {
        Cinema.say(approvers.isEmpty ? "Looking for a phone nearby." : "Found \(approvers.count).")
    }

    func show(_ code: LinkCode, for approver: NearbyApprover) async {
        Cinema.say("Type \(code.shown) in the app on the phone.")
    }

    func takeCodeAway() async {}
}
