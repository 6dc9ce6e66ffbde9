internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `/login/forgot`: a person who forgot their password sets a new one, which their enrolled device approves.
///
/// The person types the code that the app on their phone shows, so they name no account here. The app shows the request
/// and signs the answer, with the number of this page. Or they get a link by mail, and then the answer is the same for
/// every name, so that it tells nobody which accounts there are. The browser is not signed in afterwards, so a second
/// factor is still asked for.
struct ForgottenPasswordPage: Sendable {
    let pages: PageRoutes
    let services: FlowServices

    private static let path = "/login/forgot"
    /// The time until a browser without scripts loads the page again, in seconds.
    private static let refresh = 5

    private var requests: BrowserSignIns {
        BrowserSignIns(services: services, browsers: pages.browsers, purpose: .passwordReset)
    }

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("login/forgot", [.get: show], on: router)
        pages.mount("login/forgot/device", [.post: start], on: router)
        pages.mount("login/forgot/mail", [.post: mail], on: router)
        pages.mount("login/forgot/password", [.post: setPassword], on: router)
        pages.mount("login/forgot/cancel", [.post: cancel], on: router)
    }

    /// A browser at the page.
    private struct Visit: Sendable {
        let visitor: Visitor
        let sender: BrowserSignIns.Sender

        var formToken: String { visitor.formToken.revealed }
    }

    private func visit(by visitor: Visitor, _ request: Request, in context: ServerRequestContext) -> Visit {
        Visit(
            visitor: visitor,
            sender: BrowserSignIns.Sender(
                visitor, asked: pages.jar.asking(in: request),
                address: context.address(of: request, by: services.addresses)))
    }

    // MARK: Showing

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visit = visit(by: try await pages.visitor(of: request), request, in: context)
        let state = try await requests.state(for: visit.sender)
        if case .waiting(let stored) = state {
            let tag = stored.pageTag(at: services.clock.now())
            if request.headers[.ifNoneMatch] == tag {
                guard let wait = WaitPreference(parsing: request.headers[values: .prefer]),
                    let news = try await requests.news(
                        about: stored, beside: tag, wait, for: visit.sender, in: context)
                else { return pages.unchanged(tag) }
                return try page(of: news, for: visit)
            }
        }
        return try page(of: state, for: visit)
    }

    private func page(of state: BrowserSignInState, for visit: Visit) throws -> Response {
        let now = services.clock.now()
        switch state {
        case .waiting(let stored):
            let view = ForgottenPasswordWaitView(
                formToken: visit.formToken, tag: stored.pageTag(at: now), refreshSeconds: "\(Self.refresh)",
                number: stored.numberToShow(at: now)?.rawValue, facts: stored.exchange.request.browserFacts)
            return try pages.html(view).runningWaitScript()
        case .approved(let approval):
            return try passwordPage(of: approval.person, for: visit)
        case .absent, .denied, .expired, .cancelled, .redeemed:
            var response = try form(for: visit, problem: state.problemOfPassword)
            if visit.visitor.isNew { response.headers[.setCookie] = pages.jar.give(visit.visitor.cookie) }
            return response
        }
    }

    private func form(for visit: Visit, problem: LocalizedText? = nil) throws -> Response {
        try pages.html(
            ForgottenPasswordView(
                formToken: visit.formToken, offersMail: services.core.sendsMail, problem: problem))
    }

    private func passwordPage(
        of person: Person, for visit: Visit, problem: PasswordView.Problem? = nil
    ) throws -> Response {
        let view = PasswordResetView(formToken: visit.formToken, by: .approval, of: person, refusing: problem)
        return try pages.html(view, status: problem?.status ?? .ok)
    }

    // MARK: Acting

    private func submission(
        by request: Request, in context: ServerRequestContext
    ) async throws -> (visit: Visit, form: Form) {
        let (visitor, form) = try await pages.anonymousSubmission(by: request)
        return (visit(by: visitor, request, in: context), form)
    }

    private func start(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visit, form) = try await submission(by: request, in: context)
        do {
            // A text that is no code starts nothing.
            guard let code = PersonCode(parsing: form["person_code"] ?? "") else {
                throw BrowserSignIns.WrongPersonCodeError()
            }
            let (cookie, lifetime) = try await requests.start(
                for: visit.sender, by: code, software: request.headers[.userAgent],
                knownBy: pages.jar.knownCookie(in: request))
            var response = pages.redirect(to: Self.path)
            response.headers[.setCookie] = pages.jar.give(
                asking: cookie.revealed, for: lifetime + BrowserRequestCookie.afterwards)
            return response
        } catch is BrowserSignIns.WrongPersonCodeError {
            var response = try self.form(for: visit, problem: .text(.phoneWrongCodeHappened))
            response.status = .unprocessableContent
            return response
        }
    }

    /// Answers alike whether or not there is such a person.
    private func mail(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visit, form) = try await submission(by: request, in: context)
        guard services.core.sendsMail else { throw PageError.notFound }
        try await ForgottenPasswordService(core: services.core).mailLink(
            toPersonNamed: form["username"] ?? "", in: pages.languageOfRequest, from: visit.sender.address)
        return try pages.html(LinkOutcomeView.mailRequested)
    }

    private func setPassword(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visit, form) = try await submission(by: request, in: context)
        guard case .approved(let approval) = try await requests.state(for: visit.sender) else {
            try await requests.bar(visit.sender)
            return pages.redirect(to: Self.path)
        }
        let entry = NewPasswordEntry(form)
        if let problem = entry.problem(avoiding: approval.person.knownWords + pages.knownWords) {
            return try passwordPage(of: approval.person, for: visit, problem: problem)
        }
        let hash = try await services.accounts.passwords.hash(entry.password)
        guard try await requests.setPassword(hash, by: approval, for: visit.sender) else {
            return pages.redirect(to: Self.path)
        }
        var response = try pages.html(LinkOutcomeView.passwordSet)
        response.headers[.setCookie] = pages.jar.takeAwayAsking
        return response
    }

    private func cancel(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visit = try await submission(by: request, in: context).visit
        try await requests.cancel(for: visit.sender)
        return pages.redirect(to: Self.path)
    }
}

extension BrowserSignInState {
    /// The reason why a request for a new password is over; `nil` for one that is not, or that was none.
    fileprivate var problemOfPassword: LocalizedText? {
        switch self {
        case .denied: .text(.forgottenDenied)
        case .expired: .text(.forgottenExpired)
        case .absent, .waiting, .approved, .cancelled, .redeemed: nil
        }
    }
}
