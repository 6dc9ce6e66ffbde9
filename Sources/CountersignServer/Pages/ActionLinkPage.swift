internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// `/link`: a person who has a link sets their password, or creates their account.
///
/// The secret stands behind `#` in the address. A script moves it into a form; without scripts the person pastes the
/// link. A GET tells nothing and uses nothing up, so programs that open links in messages do no harm; neither does the
/// POST that shows what the link is for. The link is used up by the POST that does it.
struct ActionLinkPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore
    let accounts: AccountServices

    static let returns = ReturnPage(paths: ["/link"], root: "/link", keepsQuery: { _ in false })
    /// The form field with the secret.
    private static let field = "link"

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("link", [.get: show, .post: open], on: router)
        pages.mount("link/password", [.post: reset], on: router)
        pages.mount("link/account", [.post: create], on: router)
        pages.mount("link/passkey", [.post: createWithPasskey], on: router)
    }

    /// A form with a link that can be used.
    private struct Submission: Sendable {
        let visitor: Visitor
        let form: Form
        let secret: ActionLinkSecret
        let link: ActionLink
        /// The person whose password it sets; `nil` for an invitation.
        let person: Person?
        /// The network address of the browser.
        let address: String?

        /// The e-mail address of an invitation; `nil` for none.
        var invitedAddress: EmailAddress? {
            if case .invitation(let address) = link.act { address } else { nil }
        }
    }

    // MARK: Opening

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.visitor(of: request)
        var response = try pages.html(ActionLinkView(formToken: visitor.formToken.revealed)).runningScripts()
        if visitor.isNew { response.headers[.setCookie] = pages.jar.give(visitor.cookie) }
        return response
    }

    private func open(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await withLink(in: request, context) { try page(for: $0) }
    }

    /// Reads a form, finds its link, and answers by `body`, or by the page about a link that is of no use.
    private func withLink(
        in request: Request, _ context: ServerRequestContext, _ body: (Submission) async throws -> Response
    ) async throws -> Response {
        let (visitor, form) = try await pages.anonymousSubmission(by: request)
        let address = context.address(of: request, by: core.addresses)
        let now = core.clock.now()
        do {
            guard let secret = ActionLinkSecret(pasted: form[Self.field] ?? "") else {
                throw ActionLinks.UselessLinkError.unknown
            }
            let opened = try await core.store.read { try ActionLinks($0).open(secret, at: now) }
            return try await body(
                Submission(
                    visitor: visitor, form: form, secret: secret, link: opened.link, person: opened.person,
                    address: address))
        } catch let useless as ActionLinks.UselessLinkError {
            if useless == .unknown { try await core.wrongProofs.refuse(from: address) }
            return try pages.html(LinkOutcomeView(useless, at: now), status: .gone)
        }
    }

    private func page(for submission: Submission) throws -> Response {
        switch submission.link.act {
        case .passwordReset: try resetPage(for: submission)
        case .invitation: try invitationPage(for: submission)
        }
    }

    // MARK: Setting a password

    private func reset(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await withLink(in: request, context) { submission in
            guard let person = submission.person else { throw ActionLinks.UselessLinkError.unknown }
            let entry = NewPasswordEntry(submission.form)
            if let problem = entry.problem(avoiding: person.knownWords + pages.knownWords) {
                return try resetPage(for: submission, problem: problem)
            }
            let hash = try await accounts.passwords.hash(entry.password)
            let secret = submission.secret
            do {
                try await PasswordService(core: core).reset(
                    to: hash, from: submission.address, noting: "by a link"
                ) { [budget = MessageBudget(limits: core.limits)] repositories, now in
                    let opened = try ActionLinks(repositories).use(secret, at: now)
                    guard case .passwordReset = opened.link.act else { throw ActionLinks.UselessLinkError.unknown }
                    if let address = opened.person?.verifiedEmail {
                        try budget.noteUsed(address, onAccount: true, from: submission.address, in: repositories)
                    }
                    return opened.link.subject
                }
            } catch is PersonChangedError {
                throw ActionLinks.UselessLinkError.unknown
            }
            return try pages.html(LinkOutcomeView.passwordSet)
        }
    }

    private func resetPage(for submission: Submission, problem: PasswordView.Problem? = nil) throws -> Response {
        guard let person = submission.person else { throw ActionLinks.UselessLinkError.unknown }
        let view = PasswordResetView(
            formToken: submission.visitor.formToken.revealed, by: .link(submission.secret), of: person,
            refusing: problem)
        return try pages.html(view, status: problem?.status ?? .ok)
    }

    // MARK: Creating an account

    private func create(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await withLink(in: request, context) { submission in
            do {
                let invited = try invitedPerson(in: submission)
                let entry = NewPasswordEntry(submission.form)
                let known = [invited.username.rawValue, invited.name, submission.invitedAddress?.rawValue]
                if let problem = entry.problem(avoiding: known + pages.knownWords) {
                    return try invitationPage(for: submission, refusing: .password(problem))
                }
                let hash = try await accounts.passwords.hash(entry.password)
                let person = try await InvitationService(core: core).create(
                    invited, by: submission.secret, password: hash, from: submission.address)
                return try await signIn(person, by: .password, submission, request)
            } catch let problem as InvitedPerson.NameError {
                return try invitationPage(for: submission, refusing: .name(problem))
            }
        }
    }

    private func createWithPasskey(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await withLink(in: request, context) { submission in
            do {
                let invited = try invitedPerson(in: submission)
                guard try await core.store.read({ try $0.people.find(invited.username) }) == nil else {
                    throw InvitedPerson.NameError.taken
                }
                guard let credential = submission.form["credential"] else {
                    return try await passkeyPage(for: invited, submission)
                }
                let passkey = try await accounts.passkeys.registered(
                    credential, named: BrowserName.shown(request.headers[.userAgent]) ?? invited.username.rawValue,
                    by: submission.link.subject, in: submission.visitor.cookie)
                let person = try await InvitationService(core: core).create(
                    invited, by: submission.secret, password: nil, from: submission.address
                ) { [passkeys = accounts.passkeys] repositories in
                    try passkeys.add(passkey, from: submission.address, in: repositories)
                }
                return try await signIn(person, by: .passkey, submission, request)
            } catch let problem as InvitedPerson.NameError {
                return try invitationPage(for: submission, refusing: .name(problem))
            } catch let refusal as PasskeyService.CeremonyError {
                context.logger.notice("a passkey was not added", metadata: ["reason": "\(refusal)"])
                return try invitationPage(for: submission, refusing: .passkey(refusal.whenAdding))
            }
        }
    }

    private func invitedPerson(in submission: Submission) throws(InvitedPerson.NameError) -> InvitedPerson {
        try InvitedPerson(
            username: submission.form["username"] ?? "", name: submission.form["name"] ?? "",
            invitedAt: submission.invitedAddress)
    }

    private func invitationPage(
        for submission: Submission, refusing refusal: InvitationView.Refusal? = nil
    ) throws -> Response {
        guard case .invitation(let invitedAddress) = submission.link.act else {
            throw ActionLinks.UselessLinkError.unknown
        }
        let view = InvitationView(
            formToken: submission.visitor.formToken.revealed, by: submission.secret,
            username: submission.form["username"] ?? invitedAddress?.rawValue ?? "",
            name: submission.form["name"] ?? "", offersPasskey: accounts.passkeys.party != nil, refusing: refusal)
        return try pages.html(view, status: refusal == nil ? .ok : .unprocessableContent)
    }

    /// The page that asks the browser for a passkey.
    private func passkeyPage(for invited: InvitedPerson, _ submission: Submission) async throws -> Response {
        guard case .invitation = submission.link.act else { throw ActionLinks.UselessLinkError.unknown }
        let person = Person(
            subject: submission.link.subject, username: invited.username, name: invited.name, password: nil,
            created: core.clock.now())
        guard let options = try await accounts.passkeys.creation(for: person, in: submission.visitor.cookie) else {
            throw PageError.notFound
        }
        let view = InvitationPasskeyView(
            formToken: submission.visitor.formToken.revealed, link: submission.secret.revealed,
            username: invited.username.rawValue, fullName: invited.name, options: try options.pageJSON)
        return try pages.html(view).runningScripts()
    }

    /// Signs a person in who was created just now.
    private func signIn(
        _ person: Person, by authentication: Authentication, _ submission: Submission, _ request: Request
    ) async throws -> Response {
        let cookie = try await pages.browsers.signIn(
            person, replacing: submission.visitor.cookie, at: BrowserDetails(of: request, from: submission.address),
            by: authentication
        ) { _ in }
        return try await pages.arrive(at: "/account", with: cookie, of: person.subject, in: request)
    }
}
