internal import Countersign
internal import CountersignTesting
internal import CountersignWire

/// A screen or a backend whose service demands more than its tokens prove, and that asks again for it (RFC 9470).
enum StepUpWay: HomeOccasion {
    static let acts = [
        HomeAct("screen.stepsUp", weight: 2) { home, choice in
            let screens = home.signIns.filter { $0.tokens != nil && $0.screen.client == .tv && !$0.screen.isAttackers }
            guard let earlier = choice.signIn(screens),
                let wanted = choice.any([AuthenticationClass.number, .deviceKey, .nearby])
            else { return nil }
            let signIn = try await CodeWay.ask(at: earlier.screen, in: home, forNearby: true, way: "step-up") {
                $0.acrValues = [wanted.rawValue]
            }
            return try await began(signIn, demanding: wanted, in: home)
        },
        HomeAct("desk.stepsUp", weight: 2) { home, choice in
            guard let person = choice.person() else { return nil }
            let signIn = try await BackchannelWay.ask(for: person, demanding: .deviceKey, in: home)
            return try await began(signIn, demanding: .deviceKey, in: home)
        },
    ]

    private static let signedIn =
        ["tv.asks", "person.typesCode"] + CodeWay.page + BrowserActs.decision + ["screen.goesOn", "screen.goesOn"]

    static let stories = [
        signedIn + ["screen.stepsUp", "screen.asksPhoneNearby"] + PhoneActs.decision + CodeWay.tokens,
        signedIn + ["screen.stepsUp", "person.typesCode"] + CodeWay.page + ["screen.goesOn"] + BrowserActs.decision
            + CodeWay.tokens,
        ["desk.stepsUp", "phone.readsInbox"] + PhoneActs.decision + CodeWay.tokens,
        ["desk.stepsUp", "person.looks"] + CodeWay.page + BrowserActs.decision + ["phone.readsInbox"]
            + PhoneActs.decision + CodeWay.tokens,
    ]

    /// Notes the class that a request demands.
    private static func began(
        _ signIn: RunningSignIn?, demanding wanted: AuthenticationClass, in home: isolated Home
    ) async throws -> String {
        guard let signIn, let exchange = try await home.exchange(of: signIn) else { return "no request" }
        home.ledger.demanded[exchange.request.id] = wanted
        return "\(signIn.label) demands \(wanted.rawValue)"
    }
}
