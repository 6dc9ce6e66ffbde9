internal import Countersign
internal import CountersignTransport
internal import CountersignWire

/// Screens that give up their requests, wherever these stand.
enum GivingUpActs: HomeOccasion {
    static let acts = [
        HomeAct("screen.givesUp", weight: 2) { home, choice in
            guard let signIn = choice.signIn(home.signIns.filter(\.isWaiting)) else { return nil }
            return try await giveUp(signIn, in: home)
        }
    ]

    static let stories = [
        ["tv.asks", "person.typesCode"] + CodeWay.page + ["screen.givesUp"] + BrowserActs.decision
            + ["screen.goesOn"],
        ["tv.asks", "person.typesCode"] + CodeWay.page + ["person.goesOn", "screen.givesUp", "person.goesOn"]
            + ["screen.goesOn", "person.goesOn"],
        ["tv.asks", "screen.asksPhoneNearby", "phone.looks", "screen.givesUp", "phone.decides", "screen.goesOn"],
        ["desk.asks", "phone.readsInbox"] + PhoneActs.decision + ["screen.givesUp", "screen.goesOn"],
    ]

    /// Gives the request of a sign-in up; returns `nil` for a requester that cannot.
    static func giveUp(_ signIn: RunningSignIn, in home: isolated Home) async throws -> String? {
        switch signIn.requester {
        case .polling(_, let code):
            try await record(signIn, in: home)
            signIn.requester = .givingUp(code)
            return try await home.goOn(signIn)
        case .visiting(let browser):
            guard browser.cancellation != nil else { return nil }
            try await record(signIn, in: home)
            return try await BrowserSignInWay.cancel(browser, of: signIn, in: home)
        case .givingUp: return try await home.goOn(signIn)
        case .browsing, .redeeming, .ended: return nil
        }
    }

    /// Sends the code that a requester polls with, so that nobody is asked any more.
    static func revoke(_ code: RunningSignIn.PolledCode, of signIn: RunningSignIn, in home: isolated Home) async throws
    {
        let form: Form = ["token": code.revealed]
        let request = HomeRequest(
            "/revoke", form.with(signIn.screen.client.credentials), from: signIn.screen.address)
        guard case .success(let answer) = try await home.send(request, by: .screen(signIn.screen)),
            answer.response.status.code != 429
        else { return }
        guard answer.response.status == .ok else {
            throw HomeFault(.server, "\(signIn.label) cannot give up: \(answer.response.status.code)")
        }
        try await home.end(signIn, .cancelled)
    }

    private static func record(_ signIn: RunningSignIn, in home: isolated Home) async throws {
        guard let exchange = try await home.exchange(of: signIn) else { return }
        home.ledger.givenUp.insert(exchange.request.id)
    }
}
