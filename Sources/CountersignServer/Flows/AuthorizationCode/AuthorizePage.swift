internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// `/authorize`: an app asks, by way of a browser, to be signed in; `/authorize/decision` takes the person's answer.
///
/// Opening it stores and approves nothing, unless an earlier consent approves the request. The page carries the
/// parameters, which are checked again with the answer.
/// Standard: RFC 6749 §3.1, §4.1.1; OpenID Connect Core 1.0 §3.1.2; RFC 9700 §4.12 for the redirect by 303.
struct AuthorizePage: Sendable {
    let pages: PageRoutes
    let services: FlowServices
    let requests: AuthorizationRequests
    let service: AuthorizationService

    init(pages: PageRoutes, services: FlowServices) {
        self.pages = pages
        self.services = services
        requests = AuthorizationRequests(services: services)
        service = AuthorizationService(services: services)
    }

    /// The page's path.
    static let path = "/authorize"
    /// The form field with the parameters of the request.
    static let parameters = "authorization"

    /// The page to return to after signing in, with the app that asks.
    static func returns(_ services: FlowServices) -> ReturnPage {
        ReturnPage(
            paths: [path],
            longest: PageRoutes.longestQuery + 256,
            behind: { form in form[parameters].map { "\(path)?\(ConsentDigest.split($0).query)" } },
            askingApp: { query, pages in
                do {
                    switch try await AuthorizationRequests(services: services).check(AuthorizationArrival(query: query))
                    {
                    case .good(let checked):
                        return RequestingApp(
                            name: checked.client.shownName,
                            isSelfNamed: checked.client.namedItself,
                            formSources: RedirectURIRules.formSources(of: checked.answering.redirectURI),
                            language: pages.language(wantedBy: checked.request)
                        )
                    case .refused(let answer):
                        return RequestingApp(
                            name: nil, formSources: RedirectURIRules.formSources(of: answer.address.redirectURI))
                    }
                } catch is PageError {
                    return nil
                }
            }
        )
    }

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        // HEAD, which scanners of links send, must not use up a pushed request or get a code.
        pages.mount("authorize", [.get: show, .post: showPosted], takingHead: false, on: router)
        pages.mount("authorize/decision", [.post: decide], on: router)
    }

    // MARK: Showing

    /// Checks a request, and logs the reason and the client of a refused one.
    private func check(
        _ arrival: AuthorizationArrival,
        in context: ServerRequestContext
    ) async throws -> AuthorizationRequests.Verdict {
        do {
            var verdict = try await requests.check(arrival)
            // The person could not come back to it after signing in.
            if case .good(let checked) = verdict, !arrival.isCarried {
                verdict = .refused(checked.answering.answer(.refused(Self.tooLong)))
            }
            if case .refused(let answer) = verdict, case .refused(let error) = answer.response.outcome {
                note(error.reason, as: error.code, of: arrival, logger: context.logger)
            }
            return verdict
        } catch let problem as PageError {
            if let reason = problem.refusal { note(reason, of: arrival, logger: context.logger) }
            throw problem
        }
    }

    private func note(
        _ reason: String,
        as code: OAuthError.Code = .invalidRequest,
        of arrival: AuthorizationArrival,
        logger: Logger
    ) {
        let form = (try? Form.toleratingRepeats(in: Array(arrival.parameters.utf8)))?.form ?? Form()
        // Its query may contain private data.
        let address = form["redirect_uri"].map { $0.prefix { $0 != "?" && $0 != "#" } }.map(String.init)
        var metadata: Logger.Metadata = ["error": "\(code)", "reason": "\(reason)"]
        metadata["client"] = ProblemView.Detail(.problemDetailApp, form["client_id"]).map { "\($0.named)" }
        metadata["redirect_uri"] = ProblemView.Detail(.problemDetailAddress, address).map { "\($0.named)" }
        logger.notice("an authorization request was refused", metadata: metadata)
    }

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        switch try await check(AuthorizationArrival(query: request.uri.query ?? ""), in: context) {
        case .refused(let answer):
            return try pages.answer(answer)
        case .good(let checked):
            do {
                return try await show(checked, request, context)
            } catch {
                guard let error = OAuthError(failedAuthorization: error, telling: context.logger) else { throw error }
                return try respond(with: checked.answering.answer(.refused(error)), to: checked)
            }
        }
    }

    private static let tooLong = OAuthError(
        .invalidRequest,
        "the request has more than \(PageRoutes.longestQuery) bytes, push it beforehand",
        because: "too long for the sign-in page"
    )

    /// A request that another site posts. Browsers send no cookies with it, so they are redirected to the same by GET.
    ///
    /// Standard: OpenID Connect Core 1.0 §3.1.2.1 demands both methods.
    private func showPosted(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        // Longer requests are pushed beforehand.
        let query = try await pages.query(postedIn: request)
        switch try await check(AuthorizationArrival(query: query), in: context) {
        case .refused(let answer): return try pages.answer(answer)
        case .good: return pages.redirect(to: "\(Self.path)?\(query)")
        }
    }

    private func show(
        _ checked: CheckedAuthorizationRequest,
        _ request: Request,
        _ context: ServerRequestContext
    ) async throws -> Response {
        let visitor = try await pages.visitor(of: request).signedIn
        let checked = try await service.withoutUnneededClaims(checked, of: visitor?.person.subject)
        let step = try await service.step(for: checked, visitor: visitor)
        switch (step, visitor) {
        case (.refuse(let error), _):
            return try respond(with: checked.answering.answer(.refused(error)), to: checked)
        case (.approve(let checked), let visitor?):
            let address = context.address(of: request, by: services.addresses)
            do {
                return try respond(
                    with: try await service.decide(
                        checked, AuthorizationService.Decision(.approve, by: visitor, on: nil), from: address),
                    to: checked
                )
            } catch is ConsentWithdrawnError {
                guard checked.request.prompts.contains(.none) else {
                    return try await ask(visitor, about: checked, request)
                }
                let refusal = OAuthError(.consentRequired, because: "the consent was withdrawn meanwhile")
                return try respond(with: checked.answering.answer(.refused(refusal)), to: checked)
            }
        case (.ask, let visitor?):
            // Nobody is asked about what the answer is certain of.
            if try await service.lacksGroup(for: checked, visitor.person.subject) {
                let refusal = AuthorizationService.notInGroup
                return try respond(with: checked.answering.answer(.refused(refusal)), to: checked)
            }
            return try await ask(visitor, about: checked, request)
        case (.authenticate(let reason), _):
            return pages.redirect(to: signInAddress(for: checked, because: reason))
        case (_, nil):
            return pages.redirect(to: signInAddress(for: checked))
        }
    }

    private func ask(
        _ visitor: SignedInVisitor,
        about checked: CheckedAuthorizationRequest,
        _ request: Request,
        because refusal: ApprovalRefused? = nil
    ) async throws -> Response {
        let demands = checked.demands(under: services.policy)
        let passkey = try await services.accounts.confirmation(
            of: Self.purpose(of: checked, by: visitor),
            demanding: demands,
            by: visitor,
            in: try await pages.visitor(of: request).cookie,
            orElsewhere: pages.placeOfPasskeys("\(Self.path)?\(checked.seen.marked)", for: request)
        )
        let claims = try await services.store.read { try $0.claimMappings.all() }
        var page = ConsentView(
            checked, for: visitor, giving: claims, confirmedBy: passkey, otherAccount: signInAddress(for: checked),
            at: services.clock.now())
        page.problem = refusal?.shown
        if page.offersApproval {
            page.deliberation = try await approvalDelay(on: checked, by: visitor)?.view(at: services.clock.now())
        }
        return try pages.html(
            page,
            status: refusal?.status ?? .ok,
            formsLeadingTo: RedirectURIRules.formSources(of: checked.answering.redirectURI),
            in: pages.language(wantedBy: checked.request)
        ).runningScripts(passkey?.passkeyOptions != nil || page.deliberation != nil)
    }

    /// The reason why an approval is not taken and the person is asked again.
    private enum ApprovalRefused {
        /// The app asks for something else now than the page showed.
        case changed
        /// The delay was not over.
        case tooEarly
        /// No passkey confirmed it.
        case notConfirmed

        var shown: LocalizedText {
            switch self {
            case .changed: .text(.consentChanged)
            case .tooEarly: .text(.confirmTooEarly)
            case .notConfirmed: .text(.consentNotConfirmed)
            }
        }

        var status: HTTPResponse.Status {
            switch self {
            case .changed: .conflict
            case .tooEarly, .notConfirmed: .forbidden
            }
        }
    }

    /// The purpose of a passkey's signature that confirms this request: its parameters, and what the page shows of it.
    private static func purpose(
        of checked: CheckedAuthorizationRequest,
        by visitor: SignedInVisitor
    ) -> CeremonyPurpose {
        .approval(of: reference(to: checked), by: visitor.person.subject)
    }

    /// The text that identifies the request with its parameters, and what the page shows of it.
    private static func reference(to checked: CheckedAuthorizationRequest) -> String {
        let shown = ConsentDigest(checked).marking(checked.seen.marked)
        return "authorization \(URLSafeText.encode(SecretDigest(of: shown).bytes))"
    }

    /// The delay before the person can approve; `nil` for none. It follows from the present policy, since nothing is
    /// stored before the answer.
    private func approvalDelay(
        on checked: CheckedAuthorizationRequest,
        by visitor: SignedInVisitor
    ) async throws -> ApprovalDelay? {
        ApprovalDelay(
            checked.demands(under: services.policy),
            on: .authorization(Self.reference(to: checked)),
            shownTo: .session(visitor.session),
            under: try await services.keys.current()
        )
    }

    /// The address of the page where the person signs in and comes back from.
    private func signInAddress(
        for checked: CheckedAuthorizationRequest,
        because reason: LoginPage.ReauthenticationReason = .anybody
    ) -> String {
        var query = Form()
        query["return_to"] = "\(Self.path)?\(checked.seen.marked)"
        query[LoginPage.ReauthenticationReason.field] = reason.rawValue
        query["username"] = checked.person.username.map { String($0.prefix(64)) }
        return "/login?\(query.encoded)"
    }

    // MARK: Deciding

    private func decide(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        guard let field = form[Self.parameters],
            let answer = form["decision"].flatMap({ ProposedDecision.Answer(rawValue: $0) })
        else { throw PageError.formExpired }
        let (shown, parameters) = ConsentDigest.split(field)
        switch try await check(AuthorizationArrival(query: parameters), in: context) {
        case .refused(let answer):
            return try pages.answer(answer)
        case .good(let whole):
            let checked = try await service.withoutUnneededClaims(whole, of: visitor.person.subject)
            if answer == .approve,
                let response = try await objection(to: checked, showing: shown, by: visitor, request)
            {
                return response
            }
            return try await decide(checked, answer, form, by: visitor, request, context)
        }
    }

    /// Checks the conditions for showing the page again, since nothing is approved that the page did not show.
    ///
    /// Returns the response to an approval that fails them; `nil` for one that may be recorded.
    private func objection(
        to checked: CheckedAuthorizationRequest,
        showing shown: ConsentDigest?,
        by visitor: SignedInVisitor,
        _ request: Request
    ) async throws -> Response? {
        switch try await service.step(for: checked, visitor: visitor) {
        case .authenticate(let reason): return pages.redirect(to: signInAddress(for: checked, because: reason))
        case .refuse(let error): return try respond(with: checked.answering.answer(.refused(error)), to: checked)
        case .ask, .approve: break
        }
        guard shown == ConsentDigest(checked) else {
            return try await ask(visitor, about: checked, request, because: .changed)
        }
        return nil
    }

    private func decide(
        _ checked: CheckedAuthorizationRequest,
        _ answer: ProposedDecision.Answer,
        _ form: Form,
        by visitor: SignedInVisitor,
        _ request: Request,
        _ context: ServerRequestContext
    ) async throws -> Response {
        let address = context.address(of: request, by: services.addresses)
        var confirmed: Evidence.Proof?
        let demands = checked.demands(under: services.policy)
        if answer == .approve, demands.contains(.userVerified) {
            confirmed = try await services.accounts.confirmed(
                form["credential"] ?? "",
                Self.purpose(of: checked, by: visitor),
                by: visitor,
                in: try await pages.visitor(of: request).cookie,
                from: address
            )
            guard confirmed != nil else {
                return try await ask(visitor, about: checked, request, because: .notConfirmed)
            }
        }
        let page = FormContext(
            viewer: .session(visitor.session),
            question: .authorization(Self.reference(to: checked)),
            mark: form[ApprovalDelay.field]
        )
        var decision = AuthorizationService.Decision(answer, by: visitor, on: page, confirmedBy: confirmed)
        decision.sessionTerm = SessionTermView.chosen(in: form)
        do {
            return try respond(
                with: try await service.decide(checked, decision, from: address),
                to: checked
            )
        } catch is EarlyApprovalError {
            return try await ask(visitor, about: checked, request, because: .tooEarly)
        }
    }

    /// Sends the browser to the app with an answer, in the language that the app asked for.
    private func respond(
        with answer: AuthorizationReply,
        to checked: CheckedAuthorizationRequest
    ) throws -> Response {
        try pages.answer(answer, in: pages.language(wantedBy: checked.request))
    }
}

extension PageRoutes {
    /// Sends the browser to the app with an answer.
    ///
    /// - Parameter preferred: The language that the app asked for; that of the request by default.
    /// Standard: RFC 6749 §4.1.2; OAuth 2.0 Form Post Response Mode §2.
    func answer(_ answer: AuthorizationReply, in preferred: PageLanguage? = nil) throws -> Response {
        switch answer.address.mode {
        case .query:
            var headers = PageHeaders.all(issuer)
            headers[.location] = answer.response.form.location(at: answer.address.redirectURI)
            return Response(status: .seeOther, headers: headers)
        case .formPost:
            let view = PostedAnswerView(answer)
            var response = try html(
                view,
                formsLeadingTo: RedirectURIRules.formSources(of: answer.address.redirectURI),
                in: preferred
            )
            response.headers[.contentSecurityPolicy]? += "; script-src '\(PostedAnswerView.scriptHash)'"
            return response
        }
    }
}

extension OAuthError {
    /// The error for the client, at its address, when its request cannot be answered now; `nil` when only the person
    /// can do something about it.
    ///
    /// Standard: RFC 6749 §4.1.2.1, where both codes stand for statuses that a redirect cannot have.
    init?(failedAuthorization failure: any Error, telling logger: Logger) {
        switch failure {
        case is PageError, is NotSignedInError, is SessionEndedError, is any HTTPResponseError: return nil
        case let reached as RateLimitError:
            self.init(.temporarilyUnavailable, "too many requests; try again later", because: "\(reached.cause)")
        default:
            let isPassing = ServiceError(failure, telling: logger) == .unavailable
            self.init(isPassing ? .temporarilyUnavailable : .serverError, because: "\(failure)")
        }
    }
}
