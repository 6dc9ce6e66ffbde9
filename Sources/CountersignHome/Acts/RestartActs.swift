internal import Countersign
internal import CountersignRequester
internal import CountersignTesting
internal import CountersignWire
internal import FoundationEssentialsCompat

/// Screens, browsers at the sign-in page and phones that are killed and start again, wherever their sign-ins stand.
enum RestartActs: HomeOccasion {
    static let acts = [
        HomeAct("screen.restarts", weight: 2) { home, choice in
            let screens = home.signIns.filter { $0.isWaiting && !$0.screen.isAttackers }
            guard let signIn = choice.signIn(screens) else { return nil }
            switch signIn.requester {
            case .polling(_, .device), .givingUp(.device): return try await askAgain(after: signIn, in: home)
            case .polling(_, .backchannel(let id)): return try await resume(signIn, polling: id, in: home)
            case .visiting(var browser):
                guard choice.happens(70) else {
                    signIn.kill()
                    return "\(signIn.label) starts again without cookies"
                }
                browser.restart()
                signIn.requester = .visiting(browser)
                return "\(signIn.label) starts again"
            case .givingUp(.backchannel), .browsing, .redeeming, .ended: return nil
            }
        },
        HomeAct("phone.restarts", weight: 2) { home, choice in
            guard let person = choice.person() else { return nil }
            home.phones[person]?.restart()
            return "the phone of \(person) starts again"
        },
        HomeAct("phone.repeatsDecision", weight: 2) { home, choice in
            let people = HomePerson.residents.filter { home.phones[$0]?.sent != nil }
            guard let person = choice.person(people), let phone = home.phones[person], let sent = phone.sent else {
                return nil
            }
            return "again: \(try await PhoneActs.send(sent, phone, again: true, in: home))"
        },
    ]

    static let stories = [
        ["tv.asks", "screen.restarts", "person.typesCode"] + CodeWay.page + BrowserActs.decision + CodeWay.tokens,
        ["tv.asks", "person.typesCode"] + CodeWay.page + BrowserActs.decision + ["screen.restarts", "person.typesCode"]
            + CodeWay.page + BrowserActs.decision + CodeWay.tokens,
        ["desk.asks", "phone.readsInbox"] + PhoneActs.decision + ["screen.restarts"] + CodeWay.tokens,
        ["desk.asks", "phone.readsInbox", "phone.looks", "phone.restarts", "phone.readsInbox"] + PhoneActs.decision
            + ["phone.restarts", "phone.repeatsDecision"] + CodeWay.tokens,
        ["tv.asks", "screen.asksPhoneNearby", "phone.looks", "phone.restarts", "screen.asksPhoneNearby"]
            + PhoneActs.decision + CodeWay.tokens,
    ]

    /// An app of a screen stores no request: it asks anew, and nobody waits for the one before.
    private static func askAgain(after killed: RunningSignIn, in home: isolated Home) async throws -> String {
        killed.kill()
        let signIn = try await CodeWay.ask(at: killed.screen, in: home, forNearby: killed.verifier != nil)
        return "\(killed.label) is killed; " + (signIn.map { "\($0.label) shows a code" } ?? "no code")
    }

    /// A backend stores its requests, and polls on.
    private static func resume(
        _ signIn: RunningSignIn, polling id: AuthenticationRequestID, in home: isolated Home
    ) async throws -> String? {
        guard let exchange = try await home.exchange(of: signIn) else { return nil }
        let left = exchange.request.deadline.timeIntervalSince(home.clock.date)
        let machine = try PolledSignIn(
            for: DeviceCode(revealing: id.revealed),
            expiresIn: max(1, Int(left.rounded(.up))),
            interval: BackchannelAuthenticationResponse.standardInterval,
            at: home.clock.moment
        )
        signIn.requester = .polling(machine, .backchannel(id))
        return "\(signIn.label) polls on"
    }
}
