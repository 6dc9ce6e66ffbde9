internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// `POST /device_authorization`: a screen without a keyboard asks to be signed in.
///
/// A code that a person typed there addresses the request to that person.
/// Standard: RFC 8628 §3.1 (request) and §3.2 (response).
struct DeviceAuthorizationEndpoint: Sendable {
    let services: FlowServices

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint("device_authorization", [.post: answer], from: services.clients.origins)
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let submitted = try await request.submittedForm()
        let start = Start(
            credentials: submitted.credentials,
            form: submitted.form,
            address: context.address(of: request, by: services.addresses),
            prefer: request.headers[values: .prefer],
            software: request.headers[.userAgent],
            certificate: context.certificate
        )
        return try await answer(start).response
    }

    /// Answers by the same steps as the router, without what it adds.
    func quickOutcome(of request: FastPathRequest) throws -> FastPathOutcome? {
        let submitted = try request.submittedForm()
        let start = Start(
            credentials: submitted.credentials,
            form: submitted.form,
            address: request.address(by: services.addresses),
            prefer: request.head.prefer,
            software: request.head.userAgent
        )
        return .later { logger in
            do {
                return try await answer(start)
            } catch {
                return OAuthErrorForm.answer(to: error, logger: logger)
            }
        }
    }

    /// A request as it was read, not checked yet.
    private struct Start: Sendable {
        let credentials: PresentedCredentials
        let form: Form
        let address: String?
        /// The values of the `Prefer` headers.
        let prefer: [String]
        /// The name that the device's software gives itself.
        let software: String?
        var certificate: PresentedCertificate?
    }

    private func answer(_ start: Start) async throws -> JSONResponse {
        let client = try await services.clients.authentication.authenticated(
            start.credentials, from: start.address, holding: start.certificate)
        try client.require(.deviceCode)
        let asked = try DeviceAuthorizationRequest(form: start.form)
        var request = SignInStartRequest(
            client: client.client,
            provenance: client.provenance,
            scope: try client.permitted(asked.scope),
            address: start.address,
            deviceName: asked.deviceName,
            software: start.software.flatMap { DeviceAuthorizationRequest.presentable($0) },
            nearbyChallenge: asked.nearbyChallenge,
            browserReturn: asked.browserReturn.flatMap { client.client.accepts($0) },
            personCode: asked.personCode,
            showsNumber: NumberPreference(parsing: start.prefer) != nil,
            renewsLink: FreshLinkPreference.isStated(in: start.prefer),
            classes: AuthenticationClass.known(among: asked.acrValues),
            maxAge: asked.maxAge,
            ways: [.code],
            service: try services.policy.bounded(asked.service, at: services.clock.now())
        )
        if let hint = asked.rememberedPerson {
            let keys = try await services.keys.current()
            request.screenHint = screenHint(hint, by: client.client, under: keys)
        }
        if request.nearbyChallenge != nil { request.ways.insert(.nearby) }
        if request.browserReturn != nil { request.ways.insert(.browser) }
        // Without a number nothing would tie the person to the screen.
        if request.screenHint != nil, request.showsNumber { request.ways.insert(.push) }
        let outcome = try await services.starts.start(request)
        return JSONResponse(CompactJSON.bytes(of: try response(outcome, to: asked)))
    }

    /// The person who chose to be remembered on the screen, by the ID token that it got for them; `nil` for a token that
    /// is not good or names no screen: then the screen signs in without them.
    ///
    /// Standard: OpenID Connect Core 1.0 §3.1.2.1 (`id_token_hint`).
    private func screenHint(
        _ hint: UnverifiedIDToken,
        by client: Client,
        under keys: Keys
    ) -> SignInStartRequest.ScreenHint? {
        let claims = keys.claims(ofHint: hint.revealed, from: services.issuer, at: services.clock.now())
        guard let claims, claims.audience.names.contains(client.id.rawValue), let screen = claims.screen else {
            return nil
        }
        return SignInStartRequest.ScreenHint(subject: claims.subject, screen: screen)
    }

    private func response(
        _ outcome: SignInStartOutcome,
        to asked: DeviceAuthorizationRequest
    ) throws -> DeviceAuthorizationResponse {
        switch outcome {
        case .started(let started):
            guard case .code(let userCode) = started.way else { throw UnexpectedStartError() }
            let mark = started.link.map { "&\(LinkMark.parameter)=\($0)" } ?? ""
            return DeviceAuthorizationResponse(
                deviceCode: started.deviceCode,
                userCode: UserCodeText(userCode.description),
                verificationURI: services.issuer.appending("activate"),
                verificationURIComplete: services.issuer.appending("activate?user_code=\(userCode)\(mark)"),
                expiresIn: Int(started.lifetime.rounded(.up)),
                interval: SignInStartService.interval,
                ways: started.ways,
                browserURI: started.ways.contains(.browser)
                    ? asked.browserReturn.map {
                        services.issuer.appending("activate?\(RequestReference(.code(userCode), $0).query)")
                    }
                    : nil,
                isRemembered: asked.rememberedPerson.map { _ in started.isRemembered }
            )
        case .refused(.noWay): throw OAuthError.noWay
        case .refused(let refusal):
            throw OAuthError(.invalidClient, "client authentication failed", because: "policy: \(refusal)")
        case .wrongPersonCode:
            throw OAuthError(
                .invalidGrant,
                "the code is wrong, used or expired",
                because: "no open code of a person who may sign in"
            )
        case .noFreeCode:
            throw OAuthError(
                .temporarilyUnavailable,
                "no code is free",
                because: "all user codes that were drawn are in use"
            )
        case .unknownDomain: throw UnexpectedStartError()
        }
    }
}

extension Client {
    /// The way back from a browser, if the client has registered its address; of a loopback address the port is free.
    ///
    /// Standard: RFC 8252 §7.3, RFC 9700 §4.1.3.
    fileprivate func accepts(_ browser: BrowserReturn) -> BrowserReturn? {
        let address = browser.redirectURI.text
        guard redirects.redirectURIs.contains(where: { RedirectURIRules.matchesExactly(address, $0) }) else {
            return nil
        }
        return browser
    }
}
