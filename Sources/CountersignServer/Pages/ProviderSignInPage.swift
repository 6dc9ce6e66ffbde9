internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
internal import Logging
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `/login/with/NAME`: a person signs in with their account at another provider, or connects that account with the one
/// that they have here; `/login/with/NAME/callback` is where that provider sends the browser back.
///
/// Standard: OpenID Connect Core 1.0 §3.1; RFC 7636; RFC 9207; RFC 9700 §2.1, §4.4, §4.7.
struct ProviderSignInPage: Sendable {
    let pages: PageRoutes
    let server: ServerCore
    let providers: ProviderServices

    /// The maximum duration of a visit to the provider, in seconds.
    private static let longestVisit: TimeInterval = 900
    /// The place of the provider's name in the path.
    private static let name = "provider"

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("login/with/:\(Self.name)", [.post: begin], on: router)
        pages.mount("login/with/:\(Self.name)/callback", [.get: finish, .post: finishPosted], on: router)
    }

    /// The provider in the path of a request.
    private func provider(in context: ServerRequestContext) async throws -> IdentityProvider {
        guard let id = context.parameters.get(Self.name).flatMap({ IdentityProvider.ID(parsing: $0) }),
            let provider = try await server.store.read({ try $0.identityProviders.find(id) }), provider.isOnLoginPage
        else { throw PageError.notFound }
        return provider
    }

    // MARK: There

    private func begin(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.anonymousSubmission(by: request)
        let provider = try await provider(in: context)
        // A person who is signed in came here to prove anew who they are.
        return try await leave(
            for: provider,
            visitor,
            .signIn(again: visitor.signedIn != nil),
            target: pages.returnTarget(form["return_to"]),
            from: context.address(of: request, by: server.addresses),
            logger: context.logger
        )
    }

    /// Sends the browser to a provider.
    ///
    /// By a page and not by a redirect: browsers apply `form-action` to the redirect of a form too, and the page that
    /// has the form cannot name a provider that is not known at that moment.
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
        let state: AuthorizationCode = server.mint.secret()
        let secrets = OpenIDProviderClient.VisitSecrets(
            of: state.revealed,
            in: visitor.cookie,
            by: try await server.keys.current()
        )
        let now = server.clock.now()
        let visit = ProviderVisit(
            state: state.digest,
            browser: visitor.cookie.digest,
            provider: provider.id,
            purpose: purpose,
            target: target,
            started: now,
            expires: now + Self.longestVisit
        )
        let place: String
        do throws(ProviderError) {
            place = try await providers.client.address(
                of: provider,
                state: state.revealed,
                secrets: secrets,
                again: purpose != .signIn(again: false)
            )
        } catch {
            return try problem(
                .init(error), at: provider, because: error.reason, goingOnTo: target, logger: logger)
        }
        try await server.store.change { repositories in
            try server.limits.admitAndCount([.address(.startPerAddress, address)], in: repositories)
            try repositories.providerVisits.insert(visit)
        }
        var response = try pages.html(LeavingView(providerName: provider.displayName, address: place))
        if let refresh = HTTPField.Name("Refresh") { response.headers[refresh] = "0; url=\(place)" }
        return response
    }

    // MARK: And back

    /// An answer that the provider posts. Browsers send no cookies with it, so it is asked for again by GET.
    private func finishPosted(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let provider = try await provider(in: context)
        let query = try await pages.query(postedIn: request)
        return pages.redirect(to: "\(OpenIDProviderClient.callbackPath(of: provider.id))?\(query)")
    }

    private func finish(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let provider = try await provider(in: context)
        let visitor = try await pages.visitor(of: request)
        let address = context.address(of: request, by: server.addresses)
        var target: String?
        do {
            guard let form = try? Form(parsing: Array((request.uri.query ?? "").utf8)), let state = form["state"]
            else { throw ProviderSignInError.notStarted }
            guard let visit = try await endVisit(state, at: provider, of: visitor) else {
                target = try await self.target(of: state, at: provider)
                // They signed in in another tab.
                if let target, visitor.signedIn != nil { return pages.redirect(to: target) }
                throw ProviderSignInError.notStarted
            }
            target = visit.target
            // The answer is read before it is known whether it is good: its state was ours.
            guard let answer = try? AuthorizationResponse(form: form) else { throw ProviderSignInError.badAnswer }
            let secrets = OpenIDProviderClient.VisitSecrets(
                of: state,
                in: visitor.cookie,
                by: try await server.keys.current()
            )
            var identity = try await providers.client.identity(answering: answer, from: provider, secrets: secrets)
            identity = try fresh(identity, for: visit)
            return try await arrive(identity, at: provider, visit, visitor, by: request, from: address)
        } catch {
            guard let (problem, reason) = Self.problem(for: error) else { throw error }
            return try self.problem(
                problem, at: provider, because: reason, goingOnTo: target, logger: context.logger)
        }
    }

    /// The words for a person about an error, and the reason for the log; `nil` for one that is no matter of providers.
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

    /// The page that a person who signs in with a state wanted to open, though the state is of no use to this browser
    /// any more; `nil` where they do not sign in, or have to do it anew.
    private func target(of state: String, at provider: IdentityProvider) async throws -> String? {
        let digest = AuthorizationCode(revealing: state).digest
        guard let visit = try await server.store.read({ try $0.providerVisits.find(digest) }),
            visit.provider == provider.id, visit.purpose == .signIn(again: false)
        else { return nil }
        return visit.target
    }

    /// Ends the visit of a state, once, if this browser was sent to this provider with it; `nil` otherwise.
    private func endVisit(
        _ state: String,
        at provider: IdentityProvider,
        of visitor: Visitor
    ) async throws -> ProviderVisit? {
        let digest = AuthorizationCode(revealing: state).digest
        let now = server.clock.now()
        guard try await server.store.read({ try $0.providerVisits.find(digest) }) != nil else { return nil }
        return try await server.store.change { repositories in
            guard let visit = try repositories.providerVisits.find(digest), visit.browser == visitor.cookie.digest,
                visit.provider == provider.id, now < visit.expires, try repositories.providerVisits.remove(digest)
            else { return nil }
            return visit
        }
    }

    /// A person who had to sign in anew did so after they were sent there, and the provider says so.
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
        return identity.authenticated(at: server.clock.now())
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
            return pages.redirect(to: "/account?done=\(AccountPage.CompletedAct.connected.rawValue)")
        case .signIn:
            let proven = try await providers.links.person(of: identity, at: provider, from: address)
            let cookie = try await pages.browsers.signIn(
                proven.person,
                replacing: visitor.cookie,
                from: address,
                by: identity.authentication,
                since: identity.authenticatedOrUnknown
            ) { repositories in
                // It may have been disconnected, or the provider removed, since it was found.
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
            "a sign-in with another provider failed",
            metadata: ["provider": "\(provider.id)", "reason": "\(reason)"]
        )
        return try pages.html(.provider(problem, named: provider.displayName), goingOnTo: target)
    }
}

/// Why a person could not sign in with another provider, as far as they can do something about it.
enum ProviderSignInError: Error, Sendable, Hashable, CaseIterable {
    /// The provider does not answer.
    case unreachable
    /// The provider says that it cannot answer now.
    case busy
    /// Its answer cannot be used.
    case badAnswer
    /// It does not accept this server.
    case refused
    /// The browser did not start it here, or too long ago.
    case notStarted
    /// The answer is another provider's.
    case mixedUp
    /// The person did not want to.
    case declined
    /// The provider did not ask the person to sign in anew.
    case notFresh
    /// The provider does not say when the person signed in.
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
