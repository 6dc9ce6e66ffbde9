internal import Countersign
internal import CountersignHTTP
internal import CountersignResource
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// The pages that sign a browser in at a site: the start, and the return from the server.
struct SignInPages: Sendable {
    let services: GateServices

    /// `GET /gate/sign-in`: sends the browser to the server.
    ///
    /// Standard: OpenID Connect Core 1.0 §3.1.2.1; RFC 7636 §4.3; RFC 9470 §4.
    func start(_ request: Request, at site: GateSite) async throws(GateAnswerError) -> Response {
        let form = Self.parameters(of: request)
        let now = services.clock.now()
        let signIn = GateSignIn(
            for: form["to"].flatMap { OriginalRequest.Target($0) }, at: site, SignInDemand(form), at: now,
            drawingFrom: services.random)
        let browser = browser(of: request, at: site) ?? URLSafeText.encode(services.random.bytes(16))
        guard let state = try? signIn.state(for: browser, by: services.keys) else { throw .fault }
        var parameters: Form = [
            "response_type": "code", "client_id": services.configuration.client.rawValue,
            "redirect_uri": site.address(.callback), "scope": services.configuration.scope.description,
            "state": state, "nonce": signIn.nonce(by: services.keys),
            "code_challenge": CodeChallenge(of: signIn.verifier(by: services.keys)).description,
            "code_challenge_method": CodeChallenge.method,
        ]
        parameters["acr_values"] = signIn.demand.classes
        parameters["max_age"] = signIn.demand.maxAge.map(String.init)
        let address = try await services.addresses().authorization.url.absoluteString
        var response = Response.leading(to: parameters.location(at: address))
        response.headers[.setCookie] = site.browserCookie(browser)
        return response
    }

    /// `GET /gate/callback`: begins the session, and returns to where the sign-in began.
    ///
    /// Standard: OpenID Connect Core 1.0 §3.1.2.5 to §3.1.3.7; RFC 9207 §2.4.
    func finish(_ request: Request, at site: GateSite, telling logger: Logger) async throws(GateAnswerError) -> Response
    {
        let form = Self.parameters(of: request)
        let now = services.clock.now()
        let browser = browser(of: request, at: site)
        guard let browser, let state = form["state"],
            let signIn = GateSignIn(opening: state, of: browser, at: site, by: services.keys, at: now)
        else {
            // Tabs that began at once without a cookie share that of the last one, which may have signed the browser in.
            // A browser that keeps no such cookie would be led in a circle.
            if browser != nil, case .good = await services.session(of: request.headers, at: site) {
                return .leading(to: "\(site.origin)/")
            }
            throw .signInFailed("It is over, or began in another browser.", again: nil)
        }
        let again = signIn.page(at: site)
        let addresses = try await services.addresses()
        if let issuer = form["iss"], issuer != addresses.issuer {
            throw .signInFailed("The answer comes from another server than the gate's.", again: again)
        }
        guard let code = form["code"] else {
            if form["error"] == OAuthError.Code.unmetAuthenticationRequirements.rawValue {
                let account = services.configuration.issuer.appending("account")
                throw .signInFailed(
                    """
                    This site needs a stronger sign-in, as by a passkey or one-time passwords. Add them at \(account), and \
                    sign in again.
                    """, again: again)
            }
            let error = form["error"].flatMap { DeviceAuthorizationRequest.presentable($0) }
            throw .signInFailed(error.map { "The server says: \($0)." } ?? "The answer has no code.", again: again)
        }
        let checked = try await session(
            from: AuthorizationCode(revealing: code), of: signIn, at: site, telling: logger)
        let demand = AuthenticationDemand(
            classes: signIn.demand.classes?.split(separator: " ").map(String.init) ?? [], maxAge: signIn.demand.maxAge)
        guard demand.isMet(by: checked.facts, at: services.clock.now()) else {
            throw .signInFailed("This page needs a stronger sign-in than the server gave.", again: again)
        }
        await services.endSession(of: request.headers, at: site)
        let cookie = SessionCookie(drawingFrom: services.random)
        services.sessions.begin(checked, for: cookie)
        var response = Response.leading(to: "\(site.origin)\(signIn.target)")
        response.headers[.setCookie] = site.cookie(cookie, lasting: services.configuration.times.session)
        return response
    }

    /// Redeems a code into a session that the server confirms.
    private func session(
        from code: AuthorizationCode, of signIn: GateSignIn, at site: GateSite, telling logger: Logger
    ) async throws(GateAnswerError) -> CheckedSession {
        do throws(GateProviderError) {
            let tokens = try await services.provider.redeem(
                code, provenBy: signIn.verifier(by: services.keys), returnedTo: site.address(.callback))
            let now = services.clock.now()
            let claims = try await services.verifier.claims(
                in: tokens, repeating: signIn.nonce(by: services.keys), at: now)
            let session = GateSession(
                place: site.sessionPlace.name, person: GatePerson(claims), tokens: SessionTokens(tokens, at: now),
                ends: now + services.configuration.times.session)
            switch await services.check.check(session) {
            case .good(let session, let facts): return CheckedSession(session: session, facts: facts, checked: now)
            case .ended(let reason): throw .refused(reason)
            case .away(_, let reason): throw .away(reason)
            }
        } catch {
            logger.error("a sign-in failed", metadata: ["reason": "\(error.reason)"])
            switch error {
            case .away, .untrusted: throw .unavailable
            case .refused:
                throw .signInFailed("The server refused it, or its answer is not valid.", again: signIn.page(at: site))
            }
        }
    }

    private static func parameters(of request: Request) -> Form {
        (try? Form(parsing: Array((request.uri.query ?? "").utf8))) ?? Form()
    }

    private func browser(of request: Request, at site: GateSite) -> String? {
        request.headers.cookie(site.browserCookieName).flatMap { value in
            value.utf8.count == 22 && value.utf8.allSatisfy(URLSafeText.isUnreserved) ? value : nil
        }
    }
}
