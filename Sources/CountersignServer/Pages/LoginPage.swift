internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// `/login`: a person signs in at this browser; `/logout`: they sign out of it.
struct LoginPage: Sendable {
    let pages: PageRoutes
    let server: ServerCore
    let accounts: AccountServices

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("login", [.get: show, .post: signIn], on: router)
        pages.mount("logout", [.post: signOut], on: router)
    }

    /// Why a person who is signed in shall sign in again.
    enum ReauthenticationReason: String {
        /// The app wants a new sign-in, or the person another account.
        case anybody = "1"
        /// The app asks for another person than the one who is signed in.
        case another
        /// The app asks for another way to sign in than the one that was used.
        case anotherWay = "way"
        /// The app asks for a scope that is given only soon after a sign-in.
        case scope
        /// The person wants to change how they sign in.
        case recent

        /// The explanation for the person.
        var explanation: LocalizedText? {
            switch self {
            case .anybody: nil
            case .another: LoginPage.anotherPerson
            case .anotherWay: .text(.loginAnotherWay)
            case .scope: .text(.loginRecentScope)
            case .recent: .text(.loginAgain)
            }
        }

        /// Its name in the address of the page.
        static let field = "again"
    }

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        // A query that cannot be read says nothing.
        let query = (try? Form(parsing: Array((request.uri.query ?? "").utf8))) ?? Form()
        let target = pages.returnTarget(query["return_to"])
        let visitor = try await pages.visitor(of: request)
        if query[PageRoutes.cookieCheck] != nil {
            // The answer before this one gave the browser its cookie.
            guard visitor.isNew else { return pages.redirect(to: target) }
            return try pages.html(PageError.cookiesNeeded, goingOnTo: target)
        }
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
        let person = try await server.store.read { try PersonName(typed).find(in: $0) }
        let password = Password(revealing: form["password"] ?? "")
        let address = context.address(of: request, by: server.addresses)
        let known = try await person.asyncFlatMap { try await pages.knownBrowser(of: request, as: $0.subject) }
        // Counted before the password is checked, so that concurrent attempts cannot exceed the limit.
        let rateKeys = try await server.guesses.admit(
            Guess(
                rule: .passwordPerAccount,
                // An unknown name counts like a known one, however it is written.
                name: Username(parsing: typed)?.rawValue ?? "?\(typed.prefix(64))",
                subject: person?.subject,
                browser: known,
                address: address
            )
        )
        let isRight: Bool
        do {
            isRight = try await accounts.passwords.matches(
                password,
                person?.password,
                from: address,
                inKnownBrowserOf: known == nil ? nil : person?.subject
            )
        } catch {
            // The password was not checked, so it does not count as wrong.
            try await server.store.change { try server.limits.takeBack(rateKeys, in: $0) }
            throw error
        }
        guard isRight, let person else {
            try await noteRefusal(of: person, rateKeys, from: address)
            return try await again(visitor, by: request, target, typed, Self.refusal)
        }
        guard person.isActive else {
            // The password is right, so it does not count as wrong: once unlocked, the person can sign in at once.
            try await noteRefusal(of: person, [], from: address) { try server.limits.takeBack(rateKeys, in: $0) }
            return try await again(visitor, by: request, target, typed, Self.locked)
        }
        if try await accounts.oneTimePasswords.isEnrolled(person.subject) {
            try await server.store.change { try server.limits.takeBack(rateKeys, in: $0) }
            return try await SecondFactorPage(pages: pages, server: server, accounts: accounts).ask(
                person, at: visitor, target: target)
        }
        let cookie: BrowserCookie
        do {
            cookie = try await pages.browsers.signIn(person, replacing: visitor.cookie, from: address) {
                // They may have set up one-time passwords since that was looked up.
                guard try $0.oneTimePasswords.find(person.subject) == nil else { throw PersonChangedError() }
                try server.limits.takeBack(rateKeys, in: $0)
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
        try await server.store.read { try $0.identityProviders.all().filter(\.isOnLoginPage) }
            .map { OfferedProviderView($0) }
    }

    /// The typed name is not recorded: it may be a password.
    func noteRefusal(
        of person: Person?,
        _ rateKeys: [RateLimitKey],
        from address: String?,
        also: @escaping @Sendable (any Repositories) throws -> Void = { _ in }
    ) async throws {
        let facts = AuditEntry.Facts(
            at: server.clock.now(),
            .loginFailed,
            by: .stranger,
            subject: person?.subject,
            address: address,
            detail: person?.isActive == false ? "locked" : nil
        )
        try await server.store.change { repositories in
            try Audit(repositories).record(facts)
            try server.limits.recordReached(rateKeys, in: repositories)
            try also(repositories)
        }
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
        let view = LoginView(
            formToken: visitor.formToken.revealed,
            returnTo: target,
            appName: app?.name,
            isSelfNamed: app?.isSelfNamed ?? false,
            username: String(username.prefix(EmailAddress.longest)),
            problem: problem,
            passkeyOptions: try offered?.pageJSON,
            passkeysElsewhere: elsewhere,
            providers: try await providers()
        )
        return try pages.html(view, status: status, formsLeadingTo: app?.formSources, in: app?.language)
            .runningScripts(view.passkeyOptions != nil)
    }

    /// The page again, with what went wrong.
    func again(
        _ visitor: Visitor,
        by request: Request,
        _ target: String,
        _ typed: String,
        _ problem: LocalizedText
    ) async throws -> Response {
        try await page(for: visitor, by: request, target, typed, problem, status: .forbidden)
    }

    private func signOut(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.anonymousSubmission(by: request)
        try await pages.browsers.signOut(visitor.cookie)
        // The page that they were on asks the next person to sign in, where that is needed.
        var response = pages.redirect(to: pages.ownPage(form[PageRoutes.afterSignOut]) ?? "/login")
        response.headers[.setCookie] = pages.jar.takeAway
        return response
    }
}

extension Optional {
    fileprivate func asyncFlatMap<Value>(
        _ transform: (Wrapped) async throws -> Value?
    ) async throws -> Value? {
        guard let self else { return nil }
        return try await transform(self)
    }
}
