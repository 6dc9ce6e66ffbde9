internal import Countersign
internal import CountersignServer
internal import CountersignTesting
internal import CountersignWire

/// A screen that opens a browser on its own device, too: the browser brings back the link that redeems the approval.
enum ScreenBrowserWay: HomeOccasion {
    /// The address that screens register; the port is free.
    static let registered = "http://127.0.0.1/callback"
    /// The address that a screen listens at.
    static let callback = "http://127.0.0.1:49152/callback"

    static let acts = [
        HomeAct("tv.asksForBrowser", weight: 3) { home, choice in
            let scope: Scope = choice.happens(30) ? Scope([HomeClient.vault]) : Scope([HomeClient.play])
            let screen = HomeScreen(name: "Study", client: .tv)
            let signIn = try await ask(at: screen, for: scope, forNearby: choice.happens(50), in: home)
            return signIn.map { "\($0.label) shows a code" } ?? "no code"
        },
        HomeAct("screen.opensBrowser", weight: 3) { home, choice in
            guard let signIn = choice.signIn(screens(in: home)), let path = signIn.browserPath,
                let person = choice.person()
            else { return nil }
            home.browsers[person]?.errand = signIn.number
            home.browsers[person]?.device = signIn.number
            home.browsers[person]?.address = HomeAddress.home
            return "\(person) is at \(signIn.label): \(try await BrowserActs.open(path, person, in: home))"
        },
        HomeAct("attacker.asksForBrowser", weight: 2) { home, choice in
            let screen = HomeScreen(name: "Study", client: .tv, isAttackers: true)
            let scope: Scope = choice.happens(30) ? Scope([HomeClient.vault]) : Scope([HomeClient.play])
            let signIn = try await ask(at: screen, for: scope, in: home)
            return signIn.map { "the attacker has \($0.label)" } ?? "the attacker gets no code"
        },
        HomeAct("attacker.forwardsBrowser", weight: 2) { home, choice in
            guard let signIn = choice.signIn(screens(ofAttacker: true, in: home)), let path = signIn.browserPath,
                let person = choice.person()
            else { return nil }
            // The attacker guesses the link that the browser brings back to the victim's device.
            if choice.happens(30), let guess = NearbyLinkID(home.random.bytes(32)) {
                signIn.links = NearbyLinks(signIn.links.ids + [guess])
            }
            home.browsers[person]?.errand = signIn.number
            home.browsers[person]?.address = HomeAddress.home
            let opened = try await BrowserActs.open(path, person, in: home)
            return "\(person) opens the attacker's address of \(signIn.label): \(opened)"
        },
    ]

    /// The steps of a browser to its return.
    private static let visit = CodeWay.page + ["person.goesOn", "person.goesOn"]

    static let stories = [
        ["tv.asksForBrowser", "screen.opensBrowser"] + visit + CodeWay.tokens,
        ["tv.asksForBrowser", "screen.asksPhoneNearby", "screen.opensBrowser", "phone.looks"] + CodeWay.page
            + ["phone.decides", "person.goesOn", "person.goesOn"] + CodeWay.tokens,
        ["attacker.asksForBrowser", "attacker.forwardsBrowser"] + visit + ["screen.goesOn", "screen.goesOn"],
    ]

    /// The sign-ins that wait and may open a page, of the people or of the attacker.
    static func screens(ofAttacker isAttackers: Bool = false, in home: isolated Home) -> [RunningSignIn] {
        home.signIns.filter { $0.isWaiting && $0.browserPath != nil && $0.screen.isAttackers == isAttackers }
    }

    private static func ask(
        at screen: HomeScreen, for scope: Scope, forNearby isForNearby: Bool = false, in home: isolated Home
    ) async throws -> RunningSignIn? {
        let back = BrowserReturn(to: try RedirectURI(callback), state: URLSafeText.encode(home.random.bytes(16)))
        return try await CodeWay.ask(at: screen, in: home, for: scope, forNearby: isForNearby, way: "browser") {
            $0.browserReturn = back
        }
    }

    /// Takes the answer that a browser brings back to its own device.
    static func arrive(_ query: Substring, at device: Int?, in home: isolated Home) async throws -> String {
        let answer = try BrowserReturnResponse(form: try Form(parsing: Array(query.utf8)))
        guard let device else { return "nobody listens on the device of the browser" }
        let signIn = home.signIns[device]
        guard !signIn.isKilled else { return "nobody listens any more" }
        guard let back = signIn.browserReturn, back.state == answer.state,
            answer.issuer == home.ground.settings.issuer.text
        else { return "a stray answer" }
        switch answer.outcome {
        case .approved(over: let link):
            if let exchange = try await home.exchange(of: signIn), HomeLedger.Decision(exchange) == .open {
                throw HomeFault(.sameOutcome, "a browser brings \(signIn.label) an approval that nobody gave")
            }
            signIn.links = NearbyLinks(signIn.links.ids + [link])
            return "\(signIn.label) gets a link"
        case .refused(let code): return "\(signIn.label) gets \(code.rawValue)"
        }
    }
}
