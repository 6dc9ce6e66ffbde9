internal import Countersign
internal import CountersignWire

/// The provider's own app on the device of a screen, which the system opens with the screen's page in place of a browser.
///
/// It answers by a signed decision, and opens the address that brings the answer back to the screen.
enum ProviderAppWay: HomeOccasion {
    static let acts = [
        HomeAct("screen.opensApp", weight: 3) { home, choice in
            guard let signIn = choice.signIn(ScreenBrowserWay.screens(in: home)), let person = choice.person() else {
                return nil
            }
            home.phones[person]?.carried = .activation(of: signIn.number, at: signIn.number)
            return "\(signIn.label) opens the app of \(person)"
        },
        HomeAct("attacker.forwardsToApp", weight: 2) { home, choice in
            guard let signIn = choice.signIn(ScreenBrowserWay.screens(ofAttacker: true, in: home)),
                let person = choice.person()
            else { return nil }
            // A screen of the person may listen on their device, or nothing does.
            let listening = choice.happens(50) ? choice.signIn(ScreenBrowserWay.screens(in: home)) : nil
            home.phones[person]?.carried = .activation(of: signIn.number, at: listening?.number)
            return "\(person) opens the attacker's address of \(signIn.label) in the app"
        },
    ]

    static let stories = [
        ["tv.asksForBrowser", "screen.opensApp"] + PhoneActs.decision + CodeWay.tokens,
        ["tv.asksForBrowser", "screen.opensApp", "phone.looks", "person.typesCode"] + CodeWay.page
            + ["phone.decides", "person.goesOn", "person.goesOn"] + CodeWay.tokens,
        ["tv.asksForBrowser", "screen.opensApp", "screen.asksPhoneNearby"] + PhoneActs.decision
            + ["screen.opensApp"] + PhoneActs.decision + ["phone.repeatsDecision"] + CodeWay.tokens,
        ["tv.asksForBrowser", "neighbour.typesCode"] + CodeWay.page + BrowserActs.decision
            + ["screen.opensApp", "phone.looks", "person.goesOn", "person.goesOn"] + CodeWay.tokens,
        ["tv.asksForBrowser", "screen.opensApp"] + PhoneActs.decision + ["phone.undoes", "phone.repeatsDecision"]
            + CodeWay.tokens,
        ["attacker.asksForBrowser", "attacker.forwardsToApp"] + PhoneActs.decision
            + ["screen.goesOn", "screen.goesOn"],
    ]

    /// The look of an app that was opened with the page of a screen; `nil` for a screen without one.
    static func look(at signIn: RunningSignIn) -> ApproverLookRequest? {
        guard let page = signIn.codes?.browserURI.flatMap({ AuthorizationAddress(parsing: $0) }),
            case .activation(let code, returningTo: let redirectURI) = page.kind
        else { return nil }
        return .activation(code, returningTo: redirectURI)
    }

    /// Leaves the page of a screen to the person's browser on the same device.
    static func goOn(_ person: HomePerson, with signIn: RunningSignIn, at device: Int?, in home: isolated Home) {
        guard let path = signIn.browserPath else { return }
        home.browsers[person]?.errand = signIn.number
        home.browsers[person]?.device = device
        home.browsers[person]?.address = HomeAddress.home
        home.browsers[person]?.view = .redirect(to: path)
    }

    /// Opens the address of the server's answer to a decision on the device.
    static func open(
        _ answer: ApproverDecideResponse, at device: Int?, again: Bool, in home: isolated Home
    ) async throws -> String {
        // A request that is over may be swept before its decision is sent again.
        if again, answer.location == nil { return "nothing to open" }
        guard let location = answer.location, location.isAnswer(to: .activation, at: ScreenBrowserWay.callback),
            let mark = location.revealed.firstIndex(of: "?")
        else { throw HomeFault(.server, "the app has no address to open on its device") }
        let query = location.revealed[location.revealed.index(after: mark)...]
        let back = try BrowserReturnResponse(form: try Form(parsing: Array(query.utf8)))
        let isApproval = if case .approved = back.outcome { true } else { false }
        guard again || isApproval == (answer.outcome == .approved) else {
            throw HomeFault(.sameOutcome, "an app shows \(answer.outcome), and brings back \(back.outcome)")
        }
        return try await ScreenBrowserWay.arrive(query, at: device, in: home)
    }
}
