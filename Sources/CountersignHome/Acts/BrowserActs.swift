internal import Countersign
internal import CountersignServer
internal import CountersignTransport
internal import CountersignWire

/// People at their browsers: they type codes, open links, and go on from page to page by the forms that are there.
enum BrowserActs: HomeOccasion {
    static let acts = [
        HomeAct("person.typesCode", weight: 5) { home, choice in
            let screens = home.signIns.filter { $0.isWaiting && $0.codes != nil && !$0.screen.isAttackers }
            guard let signIn = choice.signIn(screens), let person = choice.person() else { return nil }
            home.browsers[person]?.errand = signIn.number
            home.browsers[person]?.address = choice.happens(30) ? HomeAddress.away : HomeAddress.home
            return "\(person) types the code of \(signIn.label): \(try await open("/activate", person, in: home))"
        },
        HomeAct("person.opensLink", weight: 5) { home, choice in
            let screens = home.signIns.filter { $0.isWaiting && $0.linkPath != nil && !$0.screen.isAttackers }
            guard let signIn = choice.signIn(screens), let path = signIn.linkPath,
                let person = choice.person()
            else { return nil }
            home.browsers[person]?.errand = signIn.number
            home.browsers[person]?.address = choice.happens(50) ? HomeAddress.away : HomeAddress.home
            return "\(person) opens the link of \(signIn.label): \(try await open(path, person, in: home))"
        },
        HomeAct("person.looks", weight: 2) { home, choice in
            guard let person = choice.person() else { return nil }
            home.browsers[person]?.errand = nil
            return "\(person) looks: \(try await open("/activate", person, in: home))"
        },
        HomeAct("person.goesOn", weight: 20) { home, choice in
            let people = HomePerson.allCases.filter { home.browsers[$0].map { !isIdle($0.view) } ?? false }
            guard let person = choice.person(people) else { return nil }
            return try await goOn(
                person, approving: choice.happens(75), undoing: choice.happens(25), losing: choice.happens(10), in: home
            )
        },
    ]

    /// The steps on the page that asks, and on that with the outcome.
    static let decision = ["person.goesOn", "person.goesOn", "person.goesOn"]

    private static func isIdle(_ view: HomeBrowser.View) -> Bool { if case .nothing = view { true } else { false } }

    /// Whether a browser shows the outcome of a decision, or nothing.
    static func isDone(_ view: HomeBrowser.View) -> Bool {
        switch view {
        case .nothing: true
        case .page(_, at: let path): path.hasPrefix("/activate/result")
        case .redirect: false
        }
    }

    /// Opens an address of the server.
    static func open(_ path: String, _ person: HomePerson, in home: isolated Home) async throws -> String {
        guard let browser = home.browsers[person] else { return "no browser" }
        return try await send(
            HomeRequest(getting: path, fields: browser.fields, from: browser.address), person, in: home)
    }

    /// Follows a redirect, or sends the form that leads on; returns a line for the trace.
    static func goOn(
        _ person: HomePerson, approving: Bool, undoing: Bool = false, losing: Bool = false, in home: isolated Home
    ) async throws -> String {
        guard let browser = home.browsers[person] else { return "no browser" }
        switch browser.view {
        case .nothing: return "\(person) has no page"
        case .redirect(to: let location):
            if location.hasPrefix(HomeClient.shop.redirectURI), let mark = location.firstIndex(of: "?") {
                home.browsers[person]?.view = .nothing
                return try await AuthorizationCodeWay.arrive(location[location.index(after: mark)...], in: home)
            }
            if location.hasPrefix(ScreenBrowserWay.callback), let mark = location.firstIndex(of: "?") {
                home.browsers[person]?.view = .nothing
                guard !losing else { return "the browser of \(person) is closed on its way back" }
                return try await ScreenBrowserWay.arrive(
                    location[location.index(after: mark)...], at: browser.device, in: home)
            }
            let issuer = home.ground.settings.issuer.text
            let path = location.hasPrefix(issuer) ? String(location.dropFirst(issuer.count)) : location
            return "\(person) is led on: \(try await open(path, person, in: home))"
        case .page(_, at: PersonCodeWay.path) where browser.personCode != nil:
            return "\(person) waits: \(try await open(PersonCodeWay.path, person, in: home))"
        case .page(let page, at: _):
            guard
                let (form, fields) = try await filled(
                    page, browser, approving: approving, undoing: undoing, in: home)
            else {
                home.browsers[person]?.view = .nothing
                return "\(person) closes the page"
            }
            home.browsers[person]?.typed = nil
            let request = HomeRequest(
                form.action, form.hidden.with(fields), fields: browser.fields, from: browser.address)
            return "\(person) sends \(form.action): \(try await send(request, person, in: home))"
        }
    }

    /// The form that leads on, and what the person enters; `nil` when there is none.
    private static func filled(
        _ page: HTMLForms, _ browser: HomeBrowser, approving: Bool, undoing: Bool, in home: isolated Home
    ) async throws -> (HTMLForm, Form)? {
        let forms = page.forms
        let errand = browser.errand.map { home.signIns[$0] }
        let approval = approving ? forms.first { $0.offers("approve") } : nil
        if let form = approval ?? forms.first(where: { $0.offers("deny") }) {
            return (
                form, try await decision(on: form, browser, approves: form.offers("approve") && approving, in: home)
            )
        }
        if let form = forms.first(where: { $0.hidden["by_link"] != nil }) { return (form, [:]) }
        if let form = forms.first(where: { $0.visible.contains("user_code") }),
            // Nobody types the code of a stranger.
            let code = errand.flatMap({ $0.screen.isAttackers ? nil : $0.codes?.userCode.rawValue }) ?? browser.typed
        {
            return (form, ["user_code": code])
        }
        if let form = forms.first(where: { $0.action == "/activate" && $0.hidden["request"] != nil }) {
            return (form, [:])
        }
        if browser.wantsCode, let form = forms.first(where: { $0.action == PersonCodeWay.path }) { return (form, [:]) }
        if let form = forms.first(where: { $0.visible.contains("username") }) {
            return (form, ["username": browser.person.rawValue, "password": browser.person.password])
        }
        if undoing, let form = forms.first(where: { $0.action == "/account/undo" }) {
            home.ledger.undone.insert(browser.person)
            return (form, [:])
        }
        return nil
    }

    /// The person's answer, which the ledger has before it is sent.
    private static func decision(
        on form: HTMLForm, _ browser: HomeBrowser, approves: Bool, in home: isolated Home
    ) async throws -> Form {
        var fields: Form = ["decision": approves ? "approve" : "deny"]
        home.browsers[browser.person]?.decides = nil
        let named = form.hidden["request"].map { SignInRequest.ID($0) }
        var signIn = form.hidden["user_code"].flatMap { code in
            home.signIns.first { $0.codes.map { UserCode(parsing: $0.userCode.rawValue) } == UserCode(parsing: code) }
        }
        if let named, form.visible.contains("number") { signIn = try await home.signIn(asking: named) }
        var isKnowing = signIn?.screen.isAttackers != true
        var classes: Set<AuthenticationClass> = []
        if form.visible.contains("number") {
            // The person reads it from the screen in front of them.
            let visible = signIn.flatMap { $0.screen.isAttackers ? nil : $0.shownNumber }
            let number = visible ?? home.anyNumber
            fields["number"] = number?.rawValue
            // One number of a hundred is right by chance.
            if let number, let signIn, try await home.number(of: signIn) == number {
                isKnowing = true
                classes.insert(.number)
            }
        }
        if form.hidden["authorization"] != nil {
            if approves { home.ledger.consents.insert(browser.person) }
        } else if let id = named {
            home.browsers[browser.person]?.decides = id
            home.ledger.record(approves, of: id, by: browser.person, knowing: isKnowing, reaching: classes)
        } else if let signIn, let exchange = try await home.exchange(of: signIn) {
            home.browsers[browser.person]?.decides = exchange.request.id
            home.ledger.record(
                approves, of: exchange.request.id, by: browser.person, knowing: isKnowing, reaching: classes)
        }
        home.note(approves ? "\(browser.person) approves" : "\(browser.person) denies")
        return fields
    }

    /// Sends a request of a browser, and shows its answer.
    private static func send(
        _ request: HomeRequest, _ person: HomePerson, in home: isolated Home
    ) async throws -> String {
        guard case .success(let answer) = try await home.send(request, by: .browser(person)) else { return "no answer" }
        home.browsers[person]?.show(answer, at: request.path)
        try await checkShown(by: request, to: person, in: home)
        return "\(answer.response.status.code)"
    }

    /// Checks the outcome that a page shows, if it shows one.
    private static func checkShown(
        by request: HomeRequest, to person: HomePerson, in home: isolated Home
    ) async throws {
        guard let browser = home.browsers[person], let isApproval = browser.showsApproval else { return }
        let id: SignInRequest.ID
        switch request.route {
        case "/activate/result":
            guard let named = request.path.split(separator: "=").last else { return }
            id = SignInRequest.ID(String(named))
            try await home.checkShown(isApproval, of: id, to: person, at: "the page of \(person)")
        case "/activate/decision":
            guard let decided = browser.decides else { return }
            id = decided
        default: return
        }
        if browser.showsCancelled { try await home.checkShownCancelled(id, at: "the page of \(person)") }
    }
}
