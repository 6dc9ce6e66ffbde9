internal import Countersign
internal import CountersignWire
internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// `/authorize`: an app asks, by way of a browser, to be signed in; `/authorize/decision` takes the person's answer.
///
/// Opening it stores nothing and approves nothing, except what the person allowed the app before. The page carries the
/// request's parameters, which are checked again with the answer.
/// Standard: RFC 6749 §3.1, §4.1.1; OpenID Connect Core 1.0 §3.1.2; RFC 9700 §4.12 for the redirect by 303.
struct AuthorizePage: Sendable {
    let pages: PageRoutes
    let server: ServerServices
    let requests: AuthorizationRequests
    let service: AuthorizationService

    init(pages: PageRoutes, server: ServerServices) {
        self.pages = pages
        self.server = server
        requests = AuthorizationRequests(server: server)
        service = AuthorizationService(server: server)
    }

    /// The page's path.
    static let path = "/authorize"
    /// The form field with the parameters of the request.
    private static let parameters = "authorization"

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("authorize", [.get: show, .post: showPosted], on: router)
        pages.mount("authorize/decision", [.post: decide], on: router)
    }

    // MARK: Showing

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let arrival = Arrival(query: request.uri.query ?? "")
        switch try await requests.check(arrival.parameters) {
        case .refused(let answer):
            return try pages.answer(answer)
        case .good(let checked):
            return try await show(checked, arrival, request, context)
        }
    }

    /// A request that another site posts. Browsers send no cookies with it, so it is asked for again by GET.
    ///
    /// Standard: OpenID Connect Core 1.0 §3.1.2.1 demands both methods.
    private func showPosted(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        // Longer requests are pushed beforehand.
        let query = try await pages.query(postedIn: request)
        switch try await requests.check(query) {
        case .refused(let answer): return try pages.answer(answer)
        case .good: return pages.redirect(to: "\(Self.path)?\(query)")
        }
    }

    private func show(
        _ checked: CheckedAuthorizationRequest,
        _ arrival: Arrival,
        _ request: Request,
        _ context: ServerRequestContext
    ) async throws -> Response {
        let visitor = try await pages.visitor(of: request).signedIn
        let mark = SignInMark(for: arrival.parameters, keys: try await server.keys.current())
        let now = server.clock.now()
        let step = try await service.step(
            for: checked,
            visitor: visitor,
            signedInSince: arrival.mark.flatMap { mark.instant(in: $0, at: now) }
        )
        switch (step, visitor) {
        case (.refuse(let error), _):
            return try pages.answer(checked.answering.answer(.refused(error)))
        case (.approve, let visitor?):
            let address = context.address(of: request, by: server.addresses)
            return try pages.answer(
                try await service.decide(checked, .approve, by: visitor, isRemembered: true, from: address)
            )
        case (.ask, let visitor?):
            let view = ConsentView(
                checked,
                for: visitor,
                otherAccount: signInAddress(for: checked, arrival, mark.text(at: now))
            )
            return try pages.html(
                view,
                formsLeadingTo: RedirectURI.formSource(of: checked.answering.redirectURI)
            )
        case (.signIn, _), (_, nil):
            return pages.redirect(to: signInAddress(for: checked, arrival, mark.text(at: now)))
        }
    }

    /// The address of the page where the person signs in and comes back from.
    private func signInAddress(
        for checked: CheckedAuthorizationRequest,
        _ arrival: Arrival,
        _ mark: String
    ) -> String {
        var query = Form()
        query["return_to"] = "\(Self.path)?\(Arrival.field)=\(mark)&\(arrival.parameters)"
        query["again"] = "1"
        query["username"] = checked.request.loginHint.map { String($0.prefix(64)) }
        return "/login?\(query.encoded)"
    }

    // MARK: Deciding

    private func decide(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        guard let parameters = form[Self.parameters],
            let answer = form["decision"].flatMap({ ProposedDecision.Answer(rawValue: $0) })
        else { throw PageProblem.formExpired }
        switch try await requests.check(parameters) {
        case .refused(let answer):
            return try pages.answer(answer)
        case .good(let checked):
            let address = context.address(of: request, by: server.addresses)
            return try pages.answer(
                try await service.decide(checked, answer, by: visitor, isRemembered: false, from: address)
            )
        }
    }
}

extension AuthorizePage {
    /// A query of the page: the parameters of the request, and our own mark in front of them.
    struct Arrival: Sendable {
        static let field = "countersign_mark"

        let parameters: String
        let mark: String?

        init(query: String) {
            let prefix = "\(Self.field)="
            guard query.hasPrefix(prefix) else {
                (parameters, mark) = (query, nil)
                return
            }
            let rest = query.dropFirst(prefix.count)
            mark = String(rest.prefix { $0 != "&" })
            parameters = String(rest.drop { $0 != "&" }.dropFirst())
        }
    }

    /// Shows that the server itself sent a person to sign in because of one request, and when: otherwise a request that
    /// demands a new sign-in would demand it for ever.
    struct SignInMark {
        let parameters: String
        let keys: Keys

        /// For how long it is accepted, in seconds.
        private static let lifetime: TimeInterval = 600

        init(for parameters: String, keys: Keys) {
            self.parameters = parameters
            self.keys = keys
        }

        func text(at now: Date) -> String {
            let instant = "\(now.numericDate)"
            return "\(instant).\(code(instant))"
        }

        /// When the person was sent to sign in; `nil` unless the mark is one for these parameters, and in time.
        func instant(in text: String, at now: Date) -> Date? {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, let seconds = Int(parts[0]), parts[0].utf8.count < 12,
                Code(revealing: String(parts[1])) == Code(revealing: code(String(parts[0])))
            else { return nil }
            let instant = Date(timeIntervalSince1970: TimeInterval(seconds))
            return (0..<Self.lifetime).contains(now.timeIntervalSince(instant)) ? instant : nil
        }

        private func code(_ instant: String) -> String {
            keys.authenticationCode(for: "\(instant) \(parameters)", use: "sent to sign in")
        }

        /// Compared in constant time.
        private struct Code: Secret {
            let revealed: String
            init(revealing text: String) { revealed = text }
        }
    }
}

extension PageRoutes {
    /// Sends the browser to the app with an answer.
    ///
    /// Standard: RFC 6749 §4.1.2; OAuth 2.0 Form Post Response Mode §2.
    func answer(_ answer: AuthorizationAnswer) throws -> Response {
        switch answer.address.mode {
        case .query:
            var headers = PageHeaders.all(issuer)
            headers[.location] = answer.response.location(at: answer.address.redirectURI)
            return Response(status: .seeOther, headers: headers)
        case .formPost:
            let view = PostedAnswerView(answer)
            var response = try html(
                view,
                formsLeadingTo: RedirectURI.formSource(of: answer.address.redirectURI)
            )
            response.headers[.contentSecurityPolicy]? += "; script-src '\(PostedAnswerView.scriptHash)'"
            return response
        }
    }
}
