public import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// Answers the requests of other apps and screens on the same device in the provider's own app, where the person is signed
/// in already: without a browser, and without a password.
///
/// A code or a link goes from the server's answer to the opener, and is neither stored nor logged on the way.
///
/// Standard: RFC 6749 §4.1, RFC 8252 §7.
extension Approver {
    /// Shows the request in an address that the system opened this app with in the inbox, waits until the person has
    /// answered it there, and opens the address of the server's answer.
    ///
    /// ```swift
    /// switch try await approver.ask(openedWith: address, opening: opener) {
    /// case .answered(_, isOpened: true): break
    /// case .answered(_, isOpened: false): screen.say("The app that asked can't be opened.")
    /// case .openBrowser(let page): screen.openBrowser(page)
    /// case .refused(let refusal): screen.say("There is no answer: \(refusal.rawValue)")
    /// }
    /// ```
    ///
    /// The address is an authorization request, or the page that a screen on this device opens. The person is not asked
    /// about the first if they allowed the same before and no other app can get the answer. When its task is cancelled,
    /// the request goes from the inbox. A page of the server without a request goes on in the browser.
    ///
    /// - Parameters:
    ///   - text: The whole address. It may be forged; only the addresses of ``ApprovalOptions/entrances`` count.
    ///   - caller: The source of the system's word about the requesting app; none by default.
    ///   - opener: The opener of the other app.
    /// - Returns: The result; ``AuthorizationAnswerResult/openBrowser(_:)`` also after an approval that did not meet a
    ///   demand, such as that of a recent sign-in: nothing was decided, and the other side goes on waiting.
    /// - Throws: ``ApprovalError``, and then nothing was opened: `nothingToDecide` with the place for the request of a
    ///   screen that the person answered elsewhere. After `outcomeUnknown` the decision may be recorded; another app has
    ///   to repeat its request, and the request of a screen may be answered again in the same way.
    public func ask(
        openedWith text: String,
        openedBy caller: any CallerVerifier = UnknownCaller(),
        opening opener: any AppOpener
    ) async throws(ApprovalError) -> AuthorizationAnswerResult {
        guard let address = AuthorizationAddress(parsing: text) else { return .refused(.unreadable) }
        guard client.servers.options.entrances.contains(where: address.isAt) else { return .refused(.otherAddress) }
        let opening = Opening(address: address, caller: caller, opener: opener)
        switch address.kind {
        case .authorization:
            return try await ask(
                .authorization(parameters: address.parameters), as: AuthorizationLook.self, opening)
        case .activation(let code, returningTo: let redirectURI) where address.isWebAddress:
            return try await ask(.activation(code, returningTo: redirectURI), as: ActivationLook.self, opening)
        case .activation, .page: return address.isWebAddress ? .openBrowser(address.text) : .refused(.unreadable)
        }
    }

    /// The address that this app was opened with, and the means to answer it.
    private struct Opening: Sendable {
        let address: AuthorizationAddress
        let caller: any CallerVerifier
        let opener: any AppOpener

        /// The route of the answer, by what the system says of the app that asked.
        func route(to redirectURI: String) async -> (route: AnswerRoute, ownership: RedirectOwnership) {
            let ownership = await caller.ownership(of: redirectURI)
            return (AnswerRoute(to: redirectURI, asked: ownership, knowsOwners: opener.knowsOwners), ownership)
        }
    }

    private func ask<Details: AppLook>(
        _ request: ApproverLookRequest,
        as details: Details.Type,
        _ opening: Opening
    ) async throws(ApprovalError) -> AuthorizationAnswerResult {
        let (response, digest): (ApproverLookResponse<Details>, AnswerDigest)
        do throws(ApprovalError) {
            (response, digest) = try await client.look(at: request, as: details)
        } catch {
            // The person can sign in there, and any page can cause more looks than the server answers.
            guard [.notOffered, .signedOut, .busy].contains(error.code) else { throw error }
            return try await browser(for: opening.address)
        }
        switch response {
        case .browser: return try await browser(for: opening.address)
        case .unanswerable: return .refused(.unanswerable)
        case .answer(let location, let redirectURI):
            let route = await opening.route(to: redirectURI).route
            return try await open(location, to: Details.method, at: redirectURI, by: route, .refused, opening)
        case .decide(let look): return try await decide(look, shown: digest, opening)
        }
    }

    /// Asks the person if required, and opens the server's answer.
    private func decide(
        _ look: ApproverLook<some AppLook>,
        shown digest: AnswerDigest,
        _ opening: Opening
    ) async throws(ApprovalError) -> AuthorizationAnswerResult {
        guard let kept = look.kept(for: opening.address) else {
            throw ApprovalError(.badAnswer, because: "another request than the one in the address")
        }
        let redirectURI = look.details.redirectURI
        let (route, ownership) = await opening.route(to: redirectURI)
        switch route {
        // The browser may know how to get back to a screen where no app is found.
        case .nowhere(.unanswerable) where kept.method == .activation, .browser:
            return try await browser(for: opening.address)
        case .nowhere(let refusal): return .refused(refusal)
        case .owner, .anyApp: break
        }
        guard let destination = AnswerDestination(redirectURI) else { return .refused(.unanswerable) }
        let facts = WaitingRequest.AppFacts(
            destination: .verified(destination), permissions: .verified(look.details.permissions),
            caller: .observed(ownership), isAllowedBefore: look.details.isAllowedBefore)
        let shown = WaitingRequest(look, facts, isAssured: route.isAssured, at: account, as: kept, digest)
        let said: ApproverDecideResponse
        do throws(ApprovalError) {
            guard let decision = try await decision(on: shown, asking: !route.isAssured || kept.asksPerson) else {
                return try await browser(for: opening.address)
            }
            said = decision
        } catch {
            // Nothing was decided, and the person can sign in there as the request demands it.
            guard error.obstacle != nil else { throw error }
            return try await browser(for: opening.address)
        }
        guard let location = said.location else { throw ApprovalError(.badAnswer, because: "no address to open") }
        let outcome: AuthorizationOutcome =
            switch said.outcome {
            case .approved: .approved
            case .denied, .reported, .muted: .denied
            case .refused: .refused
            }
        return try await open(location, to: kept.method, at: redirectURI, by: route, outcome, opening)
    }

    /// The server's answer to the decision about a request; `nil` when the person goes on in the browser.
    ///
    /// - Parameter isAsked: Whether the person is asked. Otherwise they allowed an app the same before.
    private func decision(
        on request: WaitingRequest, asking isAsked: Bool
    ) async throws(ApprovalError) -> ApproverDecideResponse? {
        if !isAsked, case .authorization(let look, let parameters) = request.look {
            guard !Task.isCancelled else { throw ApprovalError(.cancelled, because: "the task was cancelled") }
            return try await client.decide(
                .unasked, by: .authorization(AuthorizationFinding(look, to: parameters)), on: look,
                shown: request.digest, to: parameters)
        }
        switch await hold(request) {
        case .answered(_, let response): return response
        case .browser: return nil
        case .failed(let error): throw error
        }
    }

    /// Opens an answer, if it is one for this redirect URI.
    private func open(
        _ location: AuthorizationAnswerAddress,
        to method: ApprovalMethod,
        at redirectURI: String,
        by route: AnswerRoute,
        _ outcome: AuthorizationOutcome,
        _ opening: Opening
    ) async throws(ApprovalError) -> AuthorizationAnswerResult {
        guard location.isAnswer(to: method, at: redirectURI),
            let url = URL(string: location.revealed, encodingInvalidCharacters: false)
        else { throw ApprovalError(.badAnswer, because: "the answer goes elsewhere than to the redirect URI") }
        switch route {
        case .owner: return .answered(outcome, isOpened: await opening.opener.openInOwner(url))
        case .anyApp: return .answered(outcome, isOpened: await opening.opener.open(url))
        case .browser: return try await browser(for: opening.address)
        case .nowhere(let refusal): return .refused(refusal)
        }
    }

    /// The request as an address for the browser: an authorization request may have come by a scheme of this app.
    private func browser(for address: AuthorizationAddress) async throws(ApprovalError) -> AuthorizationAnswerResult {
        guard case .authorization = address.kind else { return .openBrowser(address.text) }
        let (servers, issuer) = (client.servers, issuer)
        let page = try await servers.persistently { () async throws(ApprovalError) in
            try await servers.authorizationPage(of: issuer)
        }
        let text = page.url.absoluteString
        return .openBrowser("\(text)\(Form.separator(after: text))\(address.parameters)")
    }
}

extension WaitingRequest.Look {
    /// Whether the person is asked, also where no other app can get the answer.
    fileprivate var asksPerson: Bool {
        guard case .authorization(let look, parameters: _) = self else { return true }
        return look.details.mustAsk || !look.details.isAllowedBefore
    }
}
