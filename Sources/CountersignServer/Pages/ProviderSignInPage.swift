internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import FoundationEssentialsCompat

/// `/login/with/NAME`: the sign-in with another provider, or the connection of an account there; the provider redirects
/// to `/login/with/NAME/callback`.
///
/// Standard: OpenID Connect Core 1.0 §3.1; RFC 7636; RFC 9207; RFC 9700 §2.1, §4.4, §4.7.
struct ProviderSignInPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore
    let providers: ProviderServices

    /// The maximum duration of a visit to the provider, in seconds.
    private static let longestVisit: TimeInterval = 900
    /// The path parameter of the provider's name.
    private static let name = "provider"

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("login/with/:\(Self.name)", [.post: begin], on: router)
        pages.mount("login/with/:\(Self.name)/callback", [.get: finish, .post: finishPosted], on: router)
    }

    /// The provider in the path of a request.
    private func provider(in context: ServerRequestContext) async throws -> IdentityProvider {
        guard let id = context.parameters.get(Self.name).flatMap({ IdentityProvider.ID(parsing: $0) }),
            let provider = try await core.store.read({ try $0.identityProviders.find(id) }), provider.isOnLoginPage
        else { throw PageError.notFound }
        return provider
    }

    // MARK: To the provider

    private func begin(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.anonymousSubmission(by: request)
        let provider = try await provider(in: context)
        // A signed-in person comes here to authenticate again.
        return try await leave(
            for: provider,
            visitor,
            .signIn(again: visitor.signedIn != nil),
            target: pages.returnTarget(form["return_to"]),
            from: context.address(of: request, by: core.addresses),
            logger: context.logger
        )
    }

    /// Leads the browser to a provider.
    ///
    /// By a page instead of a redirect, because browsers apply the `form-action` of the previous page to redirects.
    ///
    /// - Throws: ``RateLimitError``.
    func leave(
        for provider: IdentityProvider,
        _ visitor: Visitor,
        _ purpose: ProviderVisit.Purpose,
        target: String,
        from address: String?,
        logger: Logger
    ) async throws -> Response {
        let state: AuthorizationCode = core.mint.secret()
        let secrets = OpenIDProviderClient.VisitSecrets(
            of: state.revealed, in: visitor.cookie, by: try await core.keys.current())
        let now = core.clock.now()
        let visit = ProviderVisit(
            state: state.digest, browser: visitor.cookie.digest, provider: provider.id, purpose: purpose,
            target: target, started: now, expires: now + Self.longestVisit)
        let place: String
        do throws(ProviderError) {
            place = try await providers.client.address(
                of: provider, state: state.revealed, secrets: secrets, again: purpose != .signIn(again: false))
        } catch {
            return try problem(
                .init(error), at: provider, because: error.reason, goingOnTo: target, logger: logger)
        }
        try await core.store.change { repositories in
            try core.limits.admitAndCount([.address(.startPerAddress, address)], in: repositories)
            try repositories.providerVisits.insert(visit)
        }
        var response = try pages.html(LeavingView(providerName: provider.displayName, address: place))
        if let refresh = HTTPField.Name("Refresh") { response.headers[refresh] = "0; url=\(place)" }
        return response
    }

    // MARK: From the provider

    /// Redirects an answer that the provider posts, because browsers send no cookies with it.
    private func finishPosted(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let provider = try await provider(in: context)
        let query = try await pages.query(postedIn: request)
        return pages.redirect(to: "\(OpenIDProviderClient.callbackPath(of: provider.id))?\(query)")
    }

    private func finish(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let provider = try await provider(in: context)
        let visitor = try await pages.visitor(of: request)
        let address = context.address(of: request, by: core.addresses)
        var target: String?
        do {
            guard let form = try? Form(parsing: Array((request.uri.query ?? "").utf8)), let state = form["state"]
            else { throw ProviderSignInError.notStarted }
            guard let visit = try await endVisit(state, at: provider, of: visitor) else {
                target = try await self.target(of: state, at: provider)
                // The person signed in in another tab.
                if let target, visitor.signedIn != nil { return pages.redirect(to: target) }
                throw ProviderSignInError.notStarted
            }
            target = visit.target
            // The `state` is ours, so an unreadable answer is the provider's fault.
            guard let answer = try? AuthorizationResponse(form: form) else { throw ProviderSignInError.badAnswer }
            let secrets = OpenIDProviderClient.VisitSecrets(
                of: state, in: visitor.cookie, by: try await core.keys.current())
            var identity = try await providers.client.identity(answering: answer, from: provider, secrets: secrets)
            identity = try fresh(identity, for: visit)
            return try await arrive(identity, at: provider, visit, visitor, by: request, from: address)
        } catch {
            guard let (problem, reason) = Self.problem(for: error) else { throw error }
            return try self.problem(
                problem, at: provider, because: reason, goingOnTo: target, logger: context.logger)
        }
    }

    /// The problem for the page, and the reason for the log; `nil` for other errors.
    private static func problem(for error: any Error) -> (ProviderSignInError, reason: String)? {
        switch error {
        case let problem as ProviderSignInError: return (problem, "\(problem)")
        case let providerFailure as ProviderError:
            return (ProviderSignInError(providerFailure), providerFailure.reason)
        case let refused as OpenIDProviderClient.AnswerError: return (ProviderSignInError(refused), "\(refused)")
        case let refusal as IdentityLinks.LinkingError: return (ProviderSignInError(refusal), "\(refusal)")
        case is PersonChangedError: return (.locked, "the person changed meanwhile")
        default: return nil
        }
    }

    /// The target of the sign-in with a state that this browser cannot use any more; `nil` for other visits.
    private func target(of state: String, at provider: IdentityProvider) async throws -> String? {
        let digest = AuthorizationCode(revealing: state).digest
        guard let visit = try await core.store.read({ try $0.providerVisits.find(digest) }),
            visit.provider == provider.id, visit.purpose == .signIn(again: false)
        else { return nil }
        return visit.target
    }

    /// Ends the visit of a state once, for this browser and provider; `nil` otherwise.
    private func endVisit(
        _ state: String, at provider: IdentityProvider, of visitor: Visitor
    ) async throws -> ProviderVisit? {
        let digest = AuthorizationCode(revealing: state).digest
        let now = core.clock.now()
        guard try await core.store.read({ try $0.providerVisits.find(digest) }) != nil else { return nil }
        return try await core.store.change { repositories in
            guard let visit = try repositories.providerVisits.find(digest), visit.browser == visitor.cookie.digest,
                visit.provider == provider.id, now < visit.expires, try repositories.providerVisits.remove(digest)
            else { return nil }
            return visit
        }
    }

    /// Requires an authentication after the start of the visit, if one was demanded.
    ///
    /// Standard: OpenID Connect Core 1.0 §3.1.2.1: with `max_age`, `auth_time` is REQUIRED.
    private func fresh(_ identity: ProvenIdentity, for visit: ProviderVisit) throws(ProviderSignInError)
        -> ProvenIdentity
    {
        guard visit.purpose != .signIn(again: false) else { return identity }
        guard let authenticated = identity.authenticated else {
            // Connecting an identity requires a sign-in here within the last minutes.
            if case .link = visit.purpose { return identity }
            throw .freshnessUnknown
        }
        guard authenticated >= visit.started - ParsedIDToken.leeway else { throw .notFresh }
        return identity.authenticated(at: core.clock.now())
    }

    private func arrive(
        _ identity: ProvenIdentity,
        at provider: IdentityProvider,
        _ visit: ProviderVisit,
        _ visitor: Visitor,
        by request: Request,
        from address: String?
    ) async throws -> Response {
        switch visit.purpose {
        case .link(let subject):
            guard let signedIn = visitor.signedIn, signedIn.person.subject == subject else {
                throw ProviderSignInError.notStarted
            }
            try await providers.links.connect(identity, with: signedIn, from: address)
            return pages.redirect(to: AccountPage.CompletedAct.connected.address)
        case .signIn:
            let proven = try await providers.links.person(of: identity, at: provider, from: address)
            let cookie = try await pages.browsers.signIn(
                proven.person,
                replacing: visitor.cookie,
                at: BrowserDetails(of: request, from: address),
                by: identity.authentication,
                since: identity.authenticatedOrUnknown
            ) { repositories in
                // The identity or the provider may have been removed since the look-up.
                guard try providers.links.person(of: identity, in: repositories) != nil,
                    try repositories.identityProviders.find(provider.id) == provider
                else { throw PersonChangedError() }
            }
            return try await pages.arrive(at: visit.target, with: cookie, of: proven.person.subject, in: request)
        }
    }

    // MARK: Problems

    private func problem(
        _ problem: ProviderSignInError,
        at provider: IdentityProvider,
        because reason: String,
        goingOnTo target: String?,
        logger: Logger
    ) throws -> Response {
        logger.notice(
            "a sign-in with another provider failed", metadata: ["provider": "\(provider.id)", "reason": "\(reason)"])
        return try pages.html(.provider(problem, named: provider.displayName), goingOnTo: target)
    }
}

/// The problem of a sign-in with another provider, for the person.
enum ProviderSignInError: Error, Sendable, Hashable, CaseIterable {
    /// The provider does not answer.
    case unreachable
    /// The provider is temporarily unavailable.
    case busy
    /// Its answer is invalid.
    case badAnswer
    /// It refuses this server.
    case refused
    /// The browser did not start the visit, or it has expired.
    case notStarted
    /// The answer belongs to another provider.
    case mixedUp
    /// The person declined.
    case declined
    /// The provider did not authenticate the person again.
    case notFresh
    /// The provider does not state the time of the authentication.
    case freshnessUnknown
    /// No account is connected.
    case notConnected
    /// The person is locked.
    case locked
    /// The identity is connected with another account.
    case another

    init(_ providerFailure: ProviderError) {
        switch providerFailure.code {
        case .unreachable, .notTrusted: self = .unreachable
        case .busy: self = .busy
        case .badAnswer, .anotherIssuer, .template, .notOffered, .token: self = .badAnswer
        case .refused: self = .refused
        }
    }

    init(_ refused: OpenIDProviderClient.AnswerError) {
        switch refused {
        case .mixedUp: self = .mixedUp
        case .declined: self = .declined
        case .failed(.temporarilyUnavailable), .failed(.serverError): self = .busy
        case .failed: self = .refused
        }
    }

    init(_ refusal: IdentityLinks.LinkingError) {
        switch refusal {
        case .notConnected: self = .notConnected
        case .locked: self = .locked
        case .another: self = .another
        case .noFreeName: self = .unreachable
        }
    }
}
