internal import Countersign
internal import CountersignResource
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// `GET /check`: a proxy asks whether a request may pass.
///
/// | the request | the answer |
/// | --- | --- |
/// | may pass | 200 with the fields of ``PersonHeader`` |
/// | needs a sign-in, and a browser can be sent there | 302, or 401 for nginx, with `Location` |
/// | needs a sign-in or a token, and is no navigation | 401 with a challenge |
/// | may not pass, is ambiguous, or does not come by a proxy | 403 |
/// | cannot be decided, because the server is away | 503 |
struct CheckEndpoint: Sendable {
    private let services: GateServices
    private let guards: [String: ResourceGuard<GateRequestContext>]

    init(_ services: GateServices) {
        self.services = services
        var limits = TokenCacheLimits()
        // Tokens of API clients are checked as often as sessions.
        limits.good = services.configuration.times.recheck
        guards = services.configuration.sites.mapValues { site in
            ResourceGuard(
                checking: SiteTokenChecker(provider: services.provider, audience: site.audience, limits: limits),
                challenge: .bearer(realm: site.authority), clock: services.clock)
        }
    }

    func answer(_ request: Request, in context: GateRequestContext) async throws -> Response {
        let original: OriginalRequest
        do throws(OriginalRequest.RefusalError) {
            original = try OriginalRequest(
                request.headers, in: services.configuration.dialect, at: services.configuration)
        } catch {
            context.logger.info("refused", metadata: ["reason": "\(error.reason)"])
            return .text("This request is not clear.", status: .forbidden)
        }
        let site = original.site
        switch site.rule(for: original.path, original.method, overridingMethod: original.overridesMethod) {
        case .ambiguous(let reason):
            return refused("This request is not clear.", because: reason, at: site, in: context)
        case .rule(let rule):
            switch rule.access {
            case .everybody:
                // A page of another site may open it, and in nobody's name.
                guard !isForeignWebSocket(request, at: site),
                    case .good(let checked) = await services.session(of: request.headers, at: site)
                else { return try pass(nil, at: site) }
                return try pass(person(of: checked), at: site)
            case .people(let demands):
                if let tokens = demands.tokens, hasToken(request) {
                    return try await tokenAnswer(request, to: original, demands, tokens, in: context)
                }
                return try await answer(request, to: original, demands, in: context)
            }
        }
    }

    /// The answer to a request with a session, or with nothing.
    private func answer(
        _ request: Request, to original: OriginalRequest, _ demands: GateRule.Demands, in context: GateRequestContext
    ) async throws -> Response {
        let site = original.site
        let checked: CheckedSession
        switch await services.session(of: request.headers, at: site) {
        case .nobody: return unauthenticated(request, to: original, demands)
        case .unavailable: return GateAnswerError.unavailable.response
        case .good(let found): checked = found
        }
        if isForeignWebSocket(request, at: site) {
            return refused(
                "Another site may not do this.", because: "a WebSocket of another origin", at: site, in: context)
        }
        guard demands.admits(checked.facts.groups) else {
            return refused(
                "You may not open this.", because: "the person is in no group of the rule", at: site, in: context)
        }
        guard demands.authentication.isMet(by: checked.facts, at: services.clock.now()) else {
            return unauthenticated(request, to: original, demands, isSignedIn: true)
        }
        return try passIfNamed(person(of: checked), at: site, in: context)
    }

    /// The answer to an API client, by the guard of the resource library.
    private func tokenAnswer(
        _ request: Request, to original: OriginalRequest, _ demands: GateRule.Demands, _ tokens: GateRule.TokenDemand,
        in context: GateRequestContext
    ) async throws -> Response {
        guard var guarded = guards[original.site.authority] else { return GateAnswerError.fault.response }
        // Without that word the server names no groups.
        let scope = Scope(tokens.scope.words + (demands.groups.isEmpty ? [] : [.groups]))
        if !scope.isEmpty { guarded = guarded.requiring(scope) }
        let demand = demands.authentication
        guarded =
            demand == .none
            ? guarded.requiringPerson()
            : guarded.requiringAuthentication(
                classes: demand.classes, within: demand.maxAge.map { .seconds($0) })
        var response = try await guarded.handle(request, context: context) { _, context in
            let facts = try context.requireToken().facts
            guard let subject = facts.person else { throw HTTPError(.forbidden) }
            guard demands.admits(facts.groups) else { return .insufficientToken(realm: original.site.authority) }
            var person = person(subject, by: facts)
            person?.client = facts.client
            return try passIfNamed(person, at: original.site, in: context)
        }
        response.status = services.configuration.dialect.status(for: response.status)
        if let challenge = response.headers[.wwwAuthenticate] {
            context.logger.info(
                "token refused", metadata: ["reason": "\(challenge)", "site": "\(original.site.authority)"])
        }
        return response
    }

    private func isForeignWebSocket(_ request: Request, at site: GateSite) -> Bool {
        request.headers.isWebSocket && request.headers[values: .origin] != [site.origin.rawValue]
    }

    private func hasToken(_ request: Request) -> Bool {
        switch PresentedAuthorization(request.headers) {
        case .token, .boundToken, .tooLong, .malformed: true
        case .nothing, .otherScheme: false
        }
    }

    private func person(of checked: CheckedSession) -> PassedPerson? {
        person(checked.session.person.subject, by: checked.facts, knownAs: checked.session.person)
    }

    /// The person of a token; `nil` where the claim is missing that names people to sites.
    ///
    /// - Parameter known: The claims of an ID token; `nil` where there was none.
    private func person(_ subject: Subject, by facts: TokenFacts, knownAs known: GatePerson? = nil) -> PassedPerson? {
        let user: String? =
            switch services.configuration.user {
            case .username: facts.username ?? known?.username
            case .subject: subject.rawValue
            case .email: known?.email
            }
        guard let user, !user.isEmpty else { return nil }
        return PassedPerson(
            subject: subject, user: user, name: known?.name, email: known?.email, groups: facts.groups,
            authenticationClass: facts.authenticationClass,
            authenticated: facts.authenticated.map { Int($0.timeIntervalSince1970) })
    }

    /// The answer to a person of whom a rule's demands are met. A site would take one without a name for nobody.
    private func passIfNamed(
        _ person: PassedPerson?, at site: GateSite, in context: GateRequestContext
    ) throws -> Response {
        if let person { return try pass(person, at: site) }
        let claim = services.configuration.user.rawValue
        return refused(
            "This site needs your \(claim), and your sign-in does not have it.",
            because: "the person has no \(claim), which remote-user names", at: site, in: context)
    }

    /// The answer to a request that may not pass, with the reason in the log.
    private func refused(
        _ sentence: String, because reason: String, at site: GateSite, in context: GateRequestContext
    ) -> Response {
        context.logger.info("refused", metadata: ["reason": "\(reason)", "site": "\(site.authority)"])
        return .text(sentence, status: .forbidden)
    }

    /// The answer that lets a request pass.
    private func pass(_ person: PassedPerson?, at site: GateSite) throws -> Response {
        let assertion = try person.map { try services.assertions.assertion(of: $0, to: site, at: services.clock.now()) }
        var headers: HTTPFields = [.cacheControl: "no-store"]
        headers.add(person, assertion: assertion)
        return Response(status: .ok, headers: headers)
    }

    /// Sends a browser to sign in, and answers others with a challenge.
    ///
    /// Standard: RFC 6750 §3; RFC 9470 §3.
    private func unauthenticated(
        _ request: Request, to original: OriginalRequest, _ demands: GateRule.Demands, isSignedIn: Bool = false
    ) -> Response {
        let site = original.site
        let demand = demands.authentication
        guard request.headers.isNavigation, !request.headers.isWebSocket else {
            var response = Response.text("Sign in first.", status: .unauthorized)
            response.headers[.wwwAuthenticate] = AuthenticationChallenge.bearer(
                realm: site.authority, error: isSignedIn ? .insufficientUserAuthentication : nil,
                isSignedIn ? demand.parameters : [])
            return response
        }
        let target = GateSignIn.target(original.target(from: request.headers[.referer]))
        var response = Response.leading(to: SignInDemand(demand).page(returningTo: target, at: site))
        response.status = services.configuration.dialect.status(for: .found)
        return response
    }
}

extension Response {
    /// The answer to a token of a person who is in no group of a rule; another scope would not help.
    ///
    /// Standard: RFC 6750 §3.1.
    fileprivate static func insufficientToken(realm: String) -> Response {
        var response = Response.text("You may not open this.", status: .forbidden)
        response.headers[.wwwAuthenticate] = AuthenticationChallenge.bearer(
            realm: realm, error: .insufficientScope, description: "the person is in no group of the rule")
        return response
    }
}
