public import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// Answers the authorization requests of other apps in the provider's own app, where the person is signed in already:
/// without a browser, and without a password.
///
/// A code goes from the server's answer to the opener, and is neither stored nor logged on the way.
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
    /// The person is not asked if they allowed the same before and no other app can get the answer. When its task is
    /// cancelled, the request goes from the inbox.
    ///
    /// - Parameters:
    ///   - text: The whole address. It may be forged; only the addresses of ``ApprovalOptions/entrances`` count.
    ///   - caller: The source of the system's word about the requesting app; none by default.
    ///   - opener: The opener of the other app.
    /// - Throws: ``ApprovalError``, and then nothing was opened. After `outcomeUnknown` the decision may be recorded;
    ///   the other app has to repeat its request.
    public func ask(
        openedWith text: String,
        openedBy caller: any CallerVerifier = UnknownCaller(),
        opening opener: any AppOpener
    ) async throws(ApprovalError) -> AuthorizationAnswerResult {
        guard let address = AuthorizationAddress(parsing: text) else { return .refused(.unreadable) }
        guard client.servers.options.entrances.contains(where: address.isAt) else { return .refused(.otherAddress) }
        let (response, digest): (ApproverLookResponse<AuthorizationLook>, AnswerDigest)
        do throws(ApprovalError) {
            (response, digest) = try await client.look(
                at: .authorization(parameters: address.parameters), as: AuthorizationLook.self)
        } catch {
            // The person can sign in there.
            guard error.code == .notOffered || error.code == .signedOut else { throw error }
            return try await browser(for: address)
        }
        switch response {
        case .browser: return try await browser(for: address)
        case .unanswerable: return .refused(.unanswerable)
        case .answer(let location, let redirectURI):
            let ownership = await caller.ownership(of: redirectURI)
            let route = AnswerRoute(to: redirectURI, asked: ownership, knowsOwners: opener.knowsOwners)
            return try await open(location, at: redirectURI, by: route, telling: .refused, for: address, with: opener)
        case .decide(let look):
            try Self.expect(look, toBe: address)
            let ownership = await caller.ownership(of: look.details.redirectURI)
            return try await decide(look, shown: digest, to: address, ownership, with: opener)
        }
    }

    /// Makes sure that the server's view matches the request in the address, as far as the address shows it.
    private static func expect(
        _ look: ApproverLook<AuthorizationLook>,
        toBe address: AuthorizationAddress
    ) throws(ApprovalError) {
        let request = address.request
        guard look.client.value == address.client, request.map({ $0.challenge == look.details.challenge }) ?? true,
            request?.redirectURI.map({ $0 == look.details.redirectURI }) ?? true
        else { throw ApprovalError(.badAnswer, because: "another request than the one in the address") }
    }

    /// Asks the person if required, and opens the server's answer.
    private func decide(
        _ look: ApproverLook<AuthorizationLook>,
        shown digest: AnswerDigest,
        to address: AuthorizationAddress,
        _ ownership: RedirectOwnership,
        with opener: any AppOpener
    ) async throws(ApprovalError) -> AuthorizationAnswerResult {
        let redirectURI = look.details.redirectURI
        let route = AnswerRoute(to: redirectURI, asked: ownership, knowsOwners: opener.knowsOwners)
        switch route {
        case .nowhere(let refusal): return .refused(refusal)
        case .browser: return try await browser(for: address)
        case .owner, .anyApp: break
        }
        guard let destination = AnswerDestination(redirectURI) else { return .refused(.unanswerable) }
        let said: ApproverDecideResponse
        if route.isAssured, look.details.isAllowedBefore, !look.details.mustAsk {
            guard !Task.isCancelled else { throw ApprovalError(.cancelled, because: "the task was cancelled") }
            said = try await client.decide(
                .unasked, by: .authorization(AuthorizationFinding(look, to: address.parameters)), on: look,
                shown: digest, to: address.parameters)
        } else {
            let facts = WaitingRequest.AppFacts(
                destination: .verified(destination), permissions: .verified(look.details.permissions),
                caller: .observed(ownership), isAllowedBefore: look.details.isAllowedBefore)
            let shown = WaitingRequest(
                look, facts, to: address.parameters, isAssured: route.isAssured, at: account, digest)
            switch await hold(shown) {
            case .answered(_, let response): said = response
            case .browser: return try await browser(for: address)
            case .failed(let error): throw error
            }
        }
        guard let location = said.location else { throw ApprovalError(.badAnswer, because: "no address to open") }
        let outcome: AuthorizationOutcome =
            switch said.outcome {
            case .approved: .approved
            case .denied, .reported, .muted: .denied
            case .refused: .refused
            }
        return try await open(location, at: redirectURI, by: route, telling: outcome, for: address, with: opener)
    }

    /// Opens an answer, if it is one for this redirect URI.
    private func open(
        _ location: AuthorizationAnswerAddress,
        at redirectURI: String,
        by route: AnswerRoute,
        telling outcome: AuthorizationOutcome,
        for address: AuthorizationAddress,
        with opener: any AppOpener
    ) async throws(ApprovalError) -> AuthorizationAnswerResult {
        guard location.isAnswer(at: redirectURI),
            let url = URL(string: location.revealed, encodingInvalidCharacters: false)
        else { throw ApprovalError(.badAnswer, because: "the answer goes elsewhere than to the redirect URI") }
        switch route {
        case .owner: return .answered(outcome, isOpened: await opener.openInOwner(url))
        case .anyApp: return .answered(outcome, isOpened: await opener.open(url))
        case .browser: return try await browser(for: address)
        case .nowhere(let refusal): return .refused(refusal)
        }
    }

    /// The request as an address for the browser.
    private func browser(for address: AuthorizationAddress) async throws(ApprovalError) -> AuthorizationAnswerResult {
        let (servers, issuer) = (client.servers, issuer)
        let page = try await servers.persistently { () async throws(ApprovalError) in
            try await servers.authorizationPage(of: issuer)
        }
        let text = page.url.absoluteString
        return .openBrowser("\(text)\(Form.separator(after: text))\(address.parameters)")
    }
}
