internal import Countersign
internal import CountersignWire
internal import Foundation

/// Decides what becomes of a checked authorization request: whether the person has to sign in, to be asked, or gets
/// their answer at once.
///
/// Standard: OpenID Connect Core 1.0 §3.1.2.3, §3.1.2.4, §3.1.2.6.
struct AuthorizationService: Sendable {
    let server: ServerServices

    /// For how long a code can be redeemed, in seconds.
    ///
    /// Standard: RFC 6749 §4.1.2.
    static let codeLifetime: TimeInterval = 60

    /// What has to happen next.
    enum Step: Sendable {
        /// The person signs in, again if they are signed in already.
        case signIn
        /// The person is asked.
        case ask
        /// The client gets a code without asking, because of an earlier consent or of its registration.
        case approve
        /// The client gets an error, since it does not want the person to be asked.
        case refuse(OAuthError)
    }

    /// The next step for a request.
    ///
    /// - Parameters:
    ///   - visitor: The person who is signed in at the browser, if one is.
    ///   - signedInSince: When the person was last sent to sign in because of this very request; `nil` if they were not.
    func step(
        for checked: CheckedAuthorizationRequest,
        visitor: SignedInVisitor?,
        signedInSince: Date?
    ) async throws -> Step {
        let request = checked.request
        let isSilent = request.prompts.contains(.none)
        guard let visitor, isFresh(visitor.session, for: request, signedInSince: signedInSince) else {
            return isSilent ? .refuse(OAuthError(.loginRequired, because: "no fresh sign-in")) : .signIn
        }
        let mustAsk = !request.prompts.isDisjoint(with: [.consent, .selectAccount])
        if checked.isClientAssured, !mustAsk, try await isAllowed(checked, by: visitor.person.subject) {
            return .approve
        }
        return isSilent ? .refuse(OAuthError(.consentRequired, because: "the person has to be asked")) : .ask
    }

    /// Whether the person need not be asked: they allowed all of it before, or the client's registration says so.
    private func isAllowed(_ checked: CheckedAuthorizationRequest, by subject: Subject) async throws -> Bool {
        guard checked.client.redirects.consent == .ask else { return true }
        let consent = try await server.store.read { try $0.consents.find(subject, checked.client.id) }
        return consent.map { checked.scope.isSubset(of: $0.scope) } ?? false
    }

    /// Whether a session is as young as a request wants it: after the person was sent to sign in because of the request,
    /// or at most `max_age` old.
    private func isFresh(
        _ session: BrowserSession,
        for request: AuthorizationRequest,
        signedInSince: Date?
    ) -> Bool {
        if let signedInSince, session.authenticated >= signedInSince { return true }
        guard !request.prompts.contains(.login) else { return false }
        guard let maxAge = request.maxAge else { return true }
        return server.clock.now() < session.authenticated + TimeInterval(maxAge)
    }

    /// Records the answer of the person, or of an earlier consent, and returns the answer for the client.
    ///
    /// - Parameters:
    ///   - answer: What the person says.
    ///   - isRemembered: Whether an earlier consent answers, without asking the person.
    ///   - address: The network address of the browser.
    /// - Throws: ``LimitReached``; ``PageProblem/unreadableAuthorization`` when a pushed request was answered before;
    ///   ``StoreUnavailable``.
    func decide(
        _ checked: CheckedAuthorizationRequest,
        _ answer: ProposedDecision.Answer,
        by visitor: SignedInVisitor,
        isRemembered: Bool,
        from address: String?
    ) async throws -> AuthorizationAnswer {
        let code: AuthorizationCode = server.mint.secret()
        var asked = SignInStartRequest(
            client: checked.client,
            provenance: checked.isClientAssured ? .verified : .asserted,
            scope: checked.scope,
            address: address,
            software: nil
        )
        asked.lifetime = Self.codeLifetime
        let outcome = try await server.starts.start(
            asked,
            deciding: SignInStartService.ImmediateDecision(
                answer: answer,
                party: isRemembered ? .rememberedConsent(visitor) : .visitor(visitor),
                evidence: Evidence([.accountPassword(at: visitor.session.authenticated), .redirected]),
                code: code.digest,
                binding: checked.binding
            )
        ) { repositories, now in
            if let pushed = checked.pushed, try !repositories.pushedRequests.remove(pushed) {
                throw PageProblem.unreadableAuthorization
            }
            guard answer == .approve, !isRemembered else { return }
            try repositories.note(consent: checked.scope, by: visitor.person.subject, to: checked.client.id, at: now)
        }
        switch outcome {
        case .decided:
            return checked.answering.answer(
                answer == .approve
                    ? .code(code) : .refused(OAuthError(.accessDenied, because: "the person denied"))
            )
        case .refused(let refusal):
            return checked.answering.answer(.refused(OAuthError(.accessDenied, because: "policy: \(refusal)")))
        case .repeated, .alreadyDecided, .notTaken, .expired, .addressedToAnother:
            throw GrantRedemption.Contradiction()
        }
    }
}

extension Repositories {
    /// Adds to what a person allows a client.
    fileprivate func note(consent scope: Scope, by subject: Subject, to client: ClientID, at now: Date) throws {
        let earlier = try consents.find(subject, client)?.scope ?? .none
        let added = scope.words.filter { !earlier.contains($0) }
        try consents.keep(
            Consent(subject: subject, client: client, scope: Scope(earlier.words + added), given: now)
        )
    }
}
