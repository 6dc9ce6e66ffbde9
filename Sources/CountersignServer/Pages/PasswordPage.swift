internal import HTTPTypes
internal import Hummingbird
internal import FoundationEssentialsCompat

/// `/account/password`: the change of one's own password, or the first one of a person without.
///
/// The earlier password is asked for here, unless the person signed in by a passkey just now.
/// Standard: NIST SP 800-63B (revision 3) §5.1.1.2 for the new password.
struct PasswordPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore
    let accounts: AccountServices

    /// The page for the change.
    static let path = "/account/password"
    static let returns = ReturnPage(paths: [path])

    /// Mounts the page, and its well-known address below the issuer and at the root.
    ///
    /// Standard: W3C A Well-Known URL for Changing Passwords §2.
    func mount(on router: some RouterMethods<ServerRequestContext>, root: some RouterMethods<ServerRequestContext>) {
        pages.mount("account/password", [.get: show, .post: change], on: router)
        let wellKnown = ".well-known/change-password"
        pages.mount(wellKnown, [.get: { _, _ in pages.redirect(to: Self.path) }], on: router)
        if !core.issuer.path.isEmpty {
            pages.mount(wellKnown, [.get: { _, _ in pages.redirect(to: Self.path) }], on: root)
        }
    }

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.person(visiting: request)
        try await pages.requireRecent(visitor, before: Self.path, at: core.clock.now())
        return try page(for: visitor)
    }

    private func change(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        try await pages.requireRecent(visitor, before: Self.path, at: core.clock.now())
        let ending = form["end"].flatMap { PasswordService.Ending(rawValue: $0) } ?? .browsers
        let new = NewPasswordEntry(form)
        if let problem = problem(of: new, in: form, by: visitor) {
            return try page(for: visitor, ending: ending, problem: problem)
        }
        let address = context.address(of: request, by: core.addresses)
        if asksPassword(of: visitor) {
            let typed = Password(revealing: form["password"] ?? "")
            guard try await isRight(typed, of: visitor, by: request, from: address) else {
                return try page(for: visitor, ending: ending, problem: .wrongPassword)
            }
        }
        let hash = try await accounts.passwords.hash(new.password)
        do {
            let cookie = try await PasswordService(core: core).change(
                to: hash, of: visitor, ending: ending, from: address)
            var response = pages.redirect(to: AccountPage.CompletedAct.passwordChanged.address)
            let lifetime = max(0, visitor.session.expires.timeIntervalSince(core.clock.now()))
            response.headers[.setCookie] = pages.jar.give(cookie, for: lifetime)
            return response
        } catch is PersonChangedError {
            throw PageError.formExpired
        }
    }

    /// Whether the person types their password here. A passkey that they used just now is enough.
    private func asksPassword(of visitor: SignedInVisitor) -> Bool {
        visitor.person.password != nil && visitor.session.authentication != .passkey
    }

    /// The problem of a new password; `nil` for none.
    private func problem(of new: NewPasswordEntry, in form: Form, by visitor: SignedInVisitor) -> PasswordView.Problem?
    {
        if let problem = new.problem(avoiding: visitor.person.knownWords + pages.knownWords) {
            return problem
        }
        return asksPassword(of: visitor) && form["password"] == new.password.revealed ? .same : nil
    }

    /// Counts and verifies the earlier password, as a sign-in does.
    private func isRight(
        _ password: Password, of visitor: SignedInVisitor, by request: Request, from address: String?
    ) async throws -> Bool {
        let person = visitor.person
        let guess = Guess(
            rule: .passwordPerAccount,
            name: person.username.rawValue,
            subject: person.subject,
            browser: try await pages.knownBrowser(of: request, as: person.subject),
            address: address
        )
        let attempt = try await accounts.attempt(password, at: person.password, counting: guess)
        guard attempt.verification.isRight else {
            try await accounts.noteRefusal(
                of: person, attempt.rateKeys, from: address, because: "before a change of the password")
            return false
        }
        try await core.store.change { [core] in try core.limits.takeBack(attempt.rateKeys, in: $0) }
        return true
    }

    private func page(
        for visitor: SignedInVisitor,
        ending: PasswordService.Ending = .browsers,
        problem: PasswordView.Problem? = nil
    ) throws -> Response {
        let view = PasswordView(
            personName: visitor.person.name,
            formToken: visitor.formToken.revealed,
            username: visitor.person.username.rawValue,
            hasPassword: visitor.person.password != nil,
            asksPassword: asksPassword(of: visitor),
            ending: ending,
            refusing: problem
        )
        return try pages.html(view, status: problem?.status ?? .ok)
    }
}
