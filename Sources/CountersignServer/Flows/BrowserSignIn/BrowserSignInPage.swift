internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `/login/phone`: a browser shows a code and a link, a person approves on another device, and the browser gets a
/// session of that person.
///
/// A GET shows the request of the browser that sends it. It starts, ends and redeems nothing, so the person at the
/// browser sees as whom they go on before they do.
/// Standard: RFC 8628 §3.3 for the codes; RFC 10027 for the mitigations.
struct BrowserSignInPage: Sendable {
    let pages: PageRoutes
    let services: FlowServices

    private static let path = "/login/phone"
    /// The time until a browser without scripts loads the page again, in seconds.
    private static let refresh = 5

    private var requests: BrowserSignIns { BrowserSignIns(services: services, browsers: pages.browsers) }

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("login/phone", [.get: show, .post: start], on: router)
        pages.mount("login/phone/continue", [.post: proceed], on: router)
        pages.mount("login/phone/cancel", [.post: cancel], on: router)
    }

    /// A browser at the page.
    private struct Visit: Sendable {
        let visitor: Visitor
        let sender: BrowserSignIns.Sender
        /// The path after the sign-in.
        let target: String

        /// The address of another page, with the path after the sign-in.
        func address(of page: String) -> String {
            var query = Form()
            query["return_to"] = target
            return "\(page)?\(query.encoded)"
        }
    }

    private func visit(
        by visitor: Visitor, to target: String?, _ request: Request, in context: ServerRequestContext
    ) -> Visit {
        Visit(
            visitor: visitor,
            sender: BrowserSignIns.Sender(
                visitor, asked: pages.jar.asking(in: request),
                address: context.address(of: request, by: services.addresses)),
            target: pages.returnTarget(target)
        )
    }

    // MARK: Showing

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        // An invalid query is ignored.
        let query = request.query
        let visit = visit(by: try await pages.visitor(of: request), to: query["return_to"], request, in: context)
        let state = try await requests.state(for: visit.sender)
        switch state {
        case .absent where visit.visitor.signedIn != nil, .redeemed where visit.visitor.signedIn != nil:
            return pages.redirect(to: visit.target)
        case .waiting(let stored):
            let tag = stored.pageTag(at: services.clock.now())
            guard request.headers[.ifNoneMatch] == tag else { return try await page(of: state, for: visit) }
            guard let wait = WaitPreference(parsing: request.headers[values: .prefer]) else {
                return pages.unchanged(tag)
            }
            return try await held(stored, tag, wait, for: visit, in: context)
        case .absent, .approved, .denied, .expired, .cancelled, .redeemed:
            return try await page(of: state, for: visit)
        }
    }

    /// Holds a request of the script until the page changes or the time is over.
    private func held(
        _ stored: SignInExchangeRecord,
        _ tag: String,
        _ wait: WaitPreference,
        for visit: Visit,
        in context: ServerRequestContext
    ) async throws -> Response {
        let news = try await requests.news(about: stored, beside: tag, wait, for: visit.sender, in: context)
        guard let news else { return pages.unchanged(tag) }
        return try await page(of: news, for: visit)
    }

    private func page(of state: BrowserSignInState, for visit: Visit) async throws -> Response {
        let token = visit.visitor.formToken.revealed
        let now = services.clock.now()
        switch state {
        case .waiting(let stored):
            guard let asked = visit.sender.asked else { throw PageError.notFound }
            return try await html(waiting(stored, asked, for: visit, at: now), for: visit).runningWaitScript()
        case .approved(let approval):
            let view = BrowserSignInContinueView(
                formToken: token, returnTo: visit.target, approverName: approval.person.name,
                lasting: approval.grant.ends?.timeIntervalSince(approval.grant.approved))
            return try await html(view, for: visit)
        case .absent, .denied, .expired, .cancelled, .redeemed:
            let view = BrowserSignInOutcomeView(
                state, formToken: token, returnTo: visit.target, otherWays: visit.address(of: "/login"))
            guard let view else { throw PageError.notFound }
            var response = try await html(view, for: visit)
            // A browser that came here first has no cookie for the form yet.
            if visit.visitor.isNew { response.headers[.setCookie] = pages.jar.give(visit.visitor.cookie) }
            return response
        }
    }

    /// A page whose forms may lead to the app that waits for the sign-in, in the language that the app asks for.
    private func html(_ page: some Page, for visit: Visit) async throws -> Response {
        let app = try await pages.askingApp(behind: visit.target)
        return try pages.html(page, formsLeadingTo: app?.formSources, in: app?.language)
    }

    private func waiting(
        _ stored: SignInExchangeRecord, _ asked: BrowserRequestCookie, for visit: Visit, at now: Date
    ) throws -> BrowserSignInView {
        let request = stored.exchange.request
        let mark = stored.terms.freshLink.map { "&\(LinkMark.parameter)=\($0.mark(at: now))" } ?? ""
        let address = services.issuer.appending("activate")
        guard let drawing = QRCode("\(address)?user_code=\(asked.userCode)\(mark)")?.svg else {
            throw PageError.notFound
        }
        return BrowserSignInView(
            personName: visit.visitor.signedIn?.person.name,
            formToken: visit.visitor.formToken.revealed,
            returnTo: visit.target,
            otherWays: visit.address(of: "/login"),
            tag: stored.pageTag(at: now),
            refreshSeconds: "\(Self.refresh)",
            userCode: stored.terms.isStartedByCode ? nil : asked.userCode.description,
            address: Self.typed("\(address)"),
            qrSize: "\(drawing.size)",
            qrPath: drawing.path,
            number: stored.numberToShow(at: now)?.rawValue,
            facts: request.browserFacts,
            deadline: TimeDisplay(request.deadline, at: now),
            timeLeft: TimeDisplay.span(request.deadline.timeIntervalSince(now))
        )
    }

    /// An address as people type it: browsers add the scheme.
    private static func typed(_ address: String) -> String {
        address.hasPrefix("https://") ? String(address.dropFirst("https://".count)) : address
    }

    // MARK: Acting

    private func submission(
        by request: Request, in context: ServerRequestContext
    ) async throws -> (visit: Visit, form: Form) {
        let (visitor, form) = try await pages.anonymousSubmission(by: request)
        return (visit(by: visitor, to: form["return_to"], request, in: context), form)
    }

    private func start(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visit, form) = try await submission(by: request, in: context)
        let typed = form["person_code"].map { PersonCode(parsing: $0) }
        let cookie: BrowserRequestCookie
        let lifetime: TimeInterval
        do {
            // A text that is no code starts nothing.
            if case .some(nil) = typed { throw BrowserSignIns.WrongPersonCodeError() }
            (cookie, lifetime) = try await requests.start(
                for: visit.sender, by: typed ?? nil, software: request.headers[.userAgent],
                knownBy: pages.jar.knownCookie(in: request))
        } catch is BrowserSignIns.WrongPersonCodeError {
            let view = BrowserSignInOutcomeView.wrongCode(
                formToken: visit.visitor.formToken.revealed, returnTo: visit.target,
                otherWays: visit.address(of: "/login"))
            var response = try await html(view, for: visit)
            response.status = .unprocessableContent
            return response
        }
        var response = pages.redirect(to: visit.address(of: Self.path))
        response.headers[.setCookie] = pages.jar.give(
            asking: cookie.revealed, for: lifetime + BrowserRequestCookie.afterwards)
        return response
    }

    /// Redeems the approval, and leads on to the page that asked for the sign-in.
    private func proceed(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visit = try await submission(by: request, in: context).visit
        guard let opened = try await requests.redeem(for: visit.sender) else {
            return pages.redirect(to: visit.address(of: Self.path))
        }
        var response = try await pages.arrive(
            at: visit.target, with: opened.cookie, of: opened.subject, in: request)
        response.headers.append(HTTPField(name: .setCookie, value: pages.jar.takeAwayAsking))
        return response
    }

    private func cancel(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visit = try await submission(by: request, in: context).visit
        try await requests.cancel(for: visit.sender)
        return pages.redirect(to: visit.address(of: Self.path))
    }
}
