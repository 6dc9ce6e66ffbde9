internal import HTTPTypes
internal import Hummingbird

/// `/login`: the sign-in of a person at a browser; `/logout`: the sign-out.
struct LoginPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore
    let accounts: AccountServices
    /// Whether the server signs browsers in by an approval on another device.
    let offersPhone: Bool

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("login", [.get: show, .post: signIn], on: router)
        pages.mount("logout", [.post: signOut], on: router)
    }

    /// The reason for a new sign-in of a signed-in person.
    enum ReauthenticationReason: String {
        /// The app demands a new sign-in, or the person uses another account.
        case anybody = "1"
        /// The app demands another person.
        case another
        /// The app demands another way to sign in.
        case anotherWay = "way"
        /// The scope needs a recent sign-in.
        case scope
        /// The person changes their ways to sign in.
        case recent
        /// An administrator whom another device signed in opens their pages.
        case administration
        /// An administrator changes something.
        case stepUp = "step-up"

        /// The explanation for the person.
        var explanation: LocalizedText? {
            switch self {
            case .anybody: nil
            case .another: LoginPage.anotherPerson
            case .anotherWay: .text(.loginAnotherWay)
            case .scope: .text(.loginRecentScope)
            case .recent: .text(.loginAgain)
            case .administration: .text(.loginAdministration)
            case .stepUp: .text(.loginStepUp)
            }
        }

        /// Whether an approval on another device is enough.
        var isMetByPhone: Bool {
            switch self {
            case .anybody, .another: true
            case .anotherWay, .scope, .recent, .administration, .stepUp: false
            }
        }

        /// Its name in the address of the page.
        static let field = "again"
    }

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        // An invalid query is ignored.
        let query = request.query
        let target = pages.returnTarget(query["return_to"])
        let visitor = try await pages.visitor(of: request)
        if query[PageRoutes.cookieCheck] != nil {
            // The previous answer set the cookie.
            guard visitor.isNew else { return pages.redirect(to: target) }
            return try pages.html(PageError.cookiesNeeded, goingOnTo: target)
        }
        if visitor.leaving != nil { return pages.redirect(to: AccountDeletionPage.address(returningTo: target)) }
        let again = query[ReauthenticationReason.field].flatMap { ReauthenticationReason(rawValue: $0) }
        guard visitor.signedIn == nil || again != nil else { return pages.redirect(to: target) }
        var response = try await page(for: visitor, by: request, target, query["username"] ?? "", again?.explanation)
        if visitor.isNew { response.headers[.setCookie] = pages.jar.give(visitor.cookie) }
        return response
    }

    private func signIn(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.anonymousSubmission(by: request)
        let target = pages.returnTarget(form["return_to"])
        let typed = form["username"] ?? ""
        let person = try await core.store.read { try PersonName(typed).find(in: $0) }
        let password = Password(revealing: form["password"] ?? "")
        let address = context.address(of: request, by: core.addresses)
        let known = try await person.asyncFlatMap { try await pages.knownBrowser(of: request, as: $0.subject) }
        let guess = Guess(
            rule: .passwordPerAccount,
            // An unknown name counts like a known one.
            name: Username(parsing: typed)?.rawValue ?? "?\(typed.prefix(64))",
            subject: person?.subject,
            browser: known,
            address: address
        )
        let attempt = try await accounts.attempt(password, at: person?.password, counting: guess)
        let rateKeys = attempt.rateKeys
        guard attempt.verification.isRight, var person else {
            try await accounts.noteRefusal(of: person, rateKeys, from: address)
            return try await again(visitor, by: request, target, typed, Self.refusal)
        }
        guard person.maySignIn else {
            // The password is right, so the person can sign in immediately after an unlock.
            try await accounts.noteRefusal(of: person, [], from: address) { try core.limits.takeBack(rateKeys, in: $0) }
            return try await again(visitor, by: request, target, typed, Self.locked)
        }
        if try await accounts.oneTimePasswords.isEnrolled(person.subject) {
            // The ticket for the second step is bound to the stored hash.
            person = try await core.store.change { [person] repositories in
                try core.limits.takeBack(rateKeys, in: repositories)
                return try People(repositories).replaceForeignHash(
                    by: attempt.verification, of: person, from: address, at: core.clock.now())
            }
            return try await SecondFactorPage(pages: pages, core: core, accounts: accounts).ask(
                person, at: visitor, target: target)
        }
        let cookie: BrowserCookie
        do {
            cookie = try await pages.browsers.signIn(
                person, replacing: visitor.cookie, at: BrowserDetails(of: request, from: address)
            ) { [person] in
                // One-time passwords may have been set up since the look-up.
                guard try $0.oneTimePasswords.find(person.subject) == nil else { throw PersonChangedError() }
                try core.limits.takeBack(rateKeys, in: $0)
                _ = try People($0).replaceForeignHash(
                    by: attempt.verification, of: person, from: address, at: core.clock.now())
            }
        } catch is PersonChangedError {
            return try await again(visitor, by: request, target, typed, Self.refusal)
        }
        return try await pages.arrive(at: target, with: cookie, of: person.subject, in: request)
    }

    static let locked = LocalizedText.text(.loginLocked)

    fileprivate static let anotherPerson = LocalizedText.text(.loginAnotherPerson)

    private static let refusal = LocalizedText.text(.loginWrong)

    /// The other providers that can sign a person in.
    private func providers() async throws -> [OfferedProviderView] {
        try await core.store.read { try $0.identityProviders.all().filter(\.isOnLoginPage) }
            .map { OfferedProviderView($0) }
    }

    private func page(
        for visitor: Visitor,
        by request: Request,
        _ target: String,
        _ username: String,
        _ problem: LocalizedText?,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let app = try await pages.askingApp(behind: target)
        var query = Form()
        query["return_to"] = target
        let elsewhere = pages.placeOfPasskeys("/login?\(query.encoded)", for: request)
        let offered = elsewhere == nil ? try await accounts.passkeys.request(for: .signIn, in: visitor.cookie) : nil
        let reason = request.uri.queryParameters[ReauthenticationReason.field[...]]
            .flatMap { ReauthenticationReason(rawValue: String($0)) }
        let view = LoginView(
            formToken: visitor.formToken.revealed,
            returnTo: target,
            appName: app?.name,
            isSelfNamed: app?.isSelfNamed ?? false,
            username: String(username.prefix(EmailAddress.longest)),
            problem: problem,
            passkeyOptions: try offered?.pageJSON,
            passkeysElsewhere: elsewhere,
            offersPhone: offersPhone && (reason?.isMetByPhone ?? true),
            providers: try await providers()
        )
        return try pages.html(view, status: status, formsLeadingTo: app?.formSources, in: app?.language)
            .runningScripts(view.passkeyOptions != nil)
    }

    /// The page with a problem.
    func again(
        _ visitor: Visitor, by request: Request, _ target: String, _ typed: String, _ problem: LocalizedText
    ) async throws -> Response {
        try await page(for: visitor, by: request, target, typed, problem, status: .forbidden)
    }

    private func signOut(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.anonymousSubmission(by: request)
        let page = pages.ownPage(form[PageRoutes.afterSignOut])
        if let person = visitor.signedIn,
            let question = try await pages.question(
                before: .signOut(of: person, from: page ?? "/account"), form, of: request, by: person)
        {
            return question
        }
        try await pages.browsers.signOut(visitor.cookie)
        // The previous page asks for a sign-in if it needs one.
        var response = pages.redirect(to: page ?? "/login")
        response.headers[.setCookie] = pages.jar.takeAway
        return response
    }
}

extension Optional {
    fileprivate func asyncFlatMap<Value>(_ transform: (Wrapped) async throws -> Value?) async throws -> Value? {
        guard let self else { return nil }
        return try await transform(self)
    }
}
