internal import Countersign
internal import CountersignWire

/// Decides the next step for an authorization request that the system opened in the provider's own app in place of the
/// browser.
///
/// It checks the request by the code of `/authorize`, which also decides whether the person is asked.
struct AppAuthorization: Sendable {
    private let services: FlowServices
    private let requests: AuthorizationRequests
    let service: AuthorizationService

    init(_ services: FlowServices) {
        self.services = services
        requests = AuthorizationRequests(services: services)
        service = AuthorizationService(services: services)
    }

    /// The step that the app may take.
    enum Step: Sendable {
        /// Decide; `mustAsk` says whether the person has to be asked, `isAllowedBefore` whether they allowed it before.
        case decide(CheckedAuthorizationRequest, mustAsk: Bool, isAllowedBefore: Bool)
        /// Hand the request to the browser.
        case browser
        /// Tell the client why it gets no code.
        case answer(AuthorizationReply)
        /// Tell the person, and open nothing.
        case unanswerable
    }

    /// The step for a request.
    ///
    /// - Parameters:
    ///   - parameters: The query of the request, form-encoded.
    ///   - app: The app that was opened with it.
    /// - Throws: ``StoreUnavailableError``.
    func step(for parameters: String, at app: ApprovingApp) async throws -> Step {
        do {
            switch try await requests.check(AuthorizationArrival(query: parameters)) {
            case .refused(let answer): return Self.answering(answer)
            case .good(let checked):
                return try await step(
                    for: try await service.withoutUnneededClaims(checked, of: app.person.subject), at: app)
            }
        } catch is PageError {
            return .unanswerable
        }
    }

    private func step(for checked: CheckedAuthorizationRequest, at app: ApprovingApp) async throws -> Step {
        // An app opens addresses: it cannot post an answer. It is signed in as one person, uses no passkeys of this
        // server, and its signed decision names a challenge.
        guard checked.challenge != nil, checked.answering.mode == .query,
            !checked.request.prompts.contains(.selectAccount),
            !checked.demands(under: services.policy).contains(.userVerified)
        else {
            return .browser
        }
        let step = try await service.step(
            for: checked,
            person: app.person.subject,
            evidence: app.evidenceOnSameDevice
        )
        switch step {
        case .authenticate: return .browser
        case .refuse(let error): return Self.answering(checked.answering.answer(.refused(error)))
        case .ask:
            let isAllowedBefore = try await service.isAllowed(checked, by: app.person.subject)
            return .decide(checked, mustAsk: true, isAllowedBefore: isAllowedBefore)
        case .approve(let checked):
            // Any app of the device may claim the scheme or the port of another app, even if only the client can redeem
            // the code.
            let mustAsk = !RedirectURIRules.isClaimed(checked.answering.redirectURI)
            let isSilent = checked.request.prompts.contains(.none)
            return mustAsk && isSilent ? .browser : .decide(checked, mustAsk: mustAsk, isAllowedBefore: true)
        }
    }

    private static func answering(_ answer: AuthorizationReply) -> Step {
        answer.address.mode == .query ? .answer(answer) : .browser
    }
}

extension AuthorizationReply {
    /// The address that brings it to the client, in the query.
    var location: AuthorizationAnswerAddress {
        AuthorizationAnswerAddress(revealing: response.form.location(at: address.redirectURI))
    }
}
