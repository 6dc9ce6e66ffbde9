internal import Countersign
internal import CountersignServer
internal import CountersignStorage
internal import CountersignTesting
internal import CountersignTransport
internal import CountersignWire

/// A browser at the sign-in page that a person signs in with their phone, and an attacker who sends its link on.
enum BrowserSignInWay: HomeOccasion {
    static let acts = [
        HomeAct("kiosk.asks", weight: 3) { home, choice in
            let signIn = try await ask(at: kiosk, in: home)
            return signIn.map { "\($0.label) asks" } ?? "nothing starts"
        },
        HomeAct("kiosk.asksByPersonCode", weight: 2) { home, choice in
            guard let (person, code) = PersonCodeWay.typed(choice, in: home) else { return nil }
            guard let signIn = try await ask(at: kiosk, typing: code, in: home) else {
                return "the code of \(person) starts nothing"
            }
            return try PersonCodeWay.began(signIn, by: code, of: person, in: home)
        },
        HomeAct("attacker.asksAtLogin", weight: 2) { home, choice in
            let screen = HomeScreen(name: "Kiosk", client: .tv, isAttackers: true)
            let signIn = try await ask(at: screen, in: home)
            return signIn.map { "the attacker has \($0.label)" } ?? "nothing starts"
        },
    ]

    /// The browser loads the page with the outcome, and goes on.
    private static let arrival = ["screen.goesOn", "screen.goesOn", "screen.goesOn"]

    static let stories = [
        ["kiosk.asks", "screen.goesOn", "person.typesCode"] + CodeWay.page + BrowserActs.decision + arrival,
        ["kiosk.asks", "screen.goesOn", "person.opensLink"] + CodeWay.page + ["screen.goesOn"] + BrowserActs.decision
            + arrival,
        ["kiosk.asks", "screen.goesOn", "person.typesCode"] + CodeWay.page + ["screen.givesUp"]
            + BrowserActs.decision + arrival,
        ["kiosk.asks", "screen.goesOn", "person.typesCode"] + CodeWay.page + ["screen.restarts", "screen.goesOn"]
            + BrowserActs.decision + ["screen.restarts"] + arrival,
        PersonCodeWay.page + ["kiosk.asksByPersonCode"] + PersonCodeWay.question + BrowserActs.decision + arrival,
        ["attacker.asksAtLogin", "screen.goesOn", "attacker.forwardsLink"] + CodeWay.page + ["screen.goesOn"]
            + BrowserActs.decision + arrival,
    ]

    /// A browser is no app: its requests name none.
    private static let kiosk = HomeScreen(name: "Kiosk", client: .tv)

    /// Asks for a session; returns `nil` when nothing started.
    private static func ask(
        at screen: HomeScreen, typing code: PersonCode? = nil, in home: isolated Home
    ) async throws -> RunningSignIn? {
        var browser = home.ground.kiosk
        var form = browser.start.hidden
        form["person_code"] = code?.grouped
        let request = HomeRequest(browser.start.action, form, fields: browser.fields, from: screen.address)
        guard case .success(let answer) = try await home.send(request, by: party(of: screen)) else { return nil }
        HomeBrowser.keep(answer, in: &browser.cookies)
        guard answer.response.status == .seeOther, let secret = browser.code else { return nil }
        let signIn = home.begin("kiosk", at: screen, .visiting(browser))
        signIn.requestCode = secret.digest
        return signIn
    }

    private static func party(of screen: HomeScreen) -> HomeParty { screen.isAttackers ? .attacker : .screen(screen) }

    /// Loads the page of the request, or goes on after an approval.
    static func goOn(_ asking: AskingBrowser, of signIn: RunningSignIn, in home: isolated Home) async throws {
        var browser = asking
        guard let form = browser.proceeding else { return try await look(browser, of: signIn, in: home) }
        browser.proceeding = nil
        signIn.requester = .visiting(browser)
        let request = HomeRequest(form.action, form.hidden, fields: browser.fields, from: signIn.screen.address)
        guard case .success(let answer) = try await home.send(request, by: party(of: signIn.screen)) else {
            signIn.hasLostAnswers = true
            return
        }
        HomeBrowser.keep(answer, in: &browser.cookies)
        signIn.requester = .visiting(browser)
        guard let person = try await person(at: browser, in: home) else { return }
        guard signIn.addressee.map({ $0 == person }) ?? true else {
            throw HomeFault(.decided, "\(signIn.label) signs in \(person), whose code was not typed there")
        }
        try await home.checkSession(of: signIn, as: person)
        try await home.end(signIn, .signedIn(person))
    }

    /// Gives the request up; the page then says so.
    static func cancel(
        _ browser: AskingBrowser, of signIn: RunningSignIn, in home: isolated Home
    ) async throws -> String? {
        guard let form = browser.cancellation else { return nil }
        let request = HomeRequest(form.action, form.hidden, fields: browser.fields, from: signIn.screen.address)
        _ = try await home.send(request, by: party(of: signIn.screen))
        return "\(signIn.label) gives up"
    }

    private static func look(_ asking: AskingBrowser, of signIn: RunningSignIn, in home: isolated Home) async throws {
        var browser = asking
        let request = HomeRequest(getting: AskingBrowser.path, fields: browser.fields, from: signIn.screen.address)
        guard case .success(let answer) = try await home.send(request, by: party(of: signIn.screen)),
            answer.response.status == .ok
        else { return }
        browser.show(answer)
        signIn.requester = .visiting(browser)
        if browser.proceeding != nil { return }
        if browser.cancellation != nil { return try await showCodes(on: answer, of: signIn, browser, in: home) }
        let outcome: HomeOutcome? =
            switch answer.heading {
            case "Denied": .denied
            case "Too late": .expired
            case "Cancelled": .cancelled
            case "Code already used": .refused("redeemed")
            default: nil
            }
        guard let outcome else {
            throw HomeFault(.sameOutcome, "the page of \(signIn.label) shows \(answer.heading)")
        }
        try await home.end(signIn, outcome)
    }

    /// Notes the code of the page, and the link that its QR code has in this minute.
    private static func showCodes(
        on page: HTTPAnswer, of signIn: RunningSignIn, _ browser: AskingBrowser, in home: isolated Home
    ) async throws {
        guard let secret = browser.code, let code = page.shownCodes.lazy.compactMap({ UserCode(parsing: $0) }).first
        else { return }
        let now = home.clock.date
        let mark = try await home.store.read { try $0.exchanges.find(secret.digest)?.terms.freshLink?.mark(at: now) }
        let query = "user_code=\(code)" + (mark.map { "&\(LinkMark.parameter)=\($0)" } ?? "")
        let address = home.ground.settings.issuer.appending("activate")
        signIn.codes = DeviceAuthorizationResponse(
            deviceCode: secret,
            userCode: UserCodeText(code.description),
            verificationURI: address,
            verificationURIComplete: "\(address)?\(query)",
            expiresIn: 0,
            interval: 0
        )
    }

    /// The person who is signed in at a browser; `nil` for none.
    private static func person(at browser: AskingBrowser, in home: isolated Home) async throws -> HomePerson? {
        let cookies = browser.cookies.values.sorted().map { BrowserCookie(revealing: $0).digest }
        return try await home.store.read { repositories in
            for cookie in cookies {
                guard let session = try repositories.browserSessions.find(cookie) else { continue }
                return HomePerson(session.subject)
            }
            return nil
        }
    }
}
