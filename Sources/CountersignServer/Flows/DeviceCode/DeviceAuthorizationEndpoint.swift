internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// `POST /device_authorization`: a screen without a keyboard asks to be signed in.
///
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
        let outcome = try await services.starts.start(
            SignInStartRequest(
                client: client.client,
                provenance: client.provenance,
                scope: try client.permitted(asked.scope),
                address: start.address,
                deviceName: asked.deviceName,
                software: start.software.flatMap { DeviceAuthorizationRequest.presentable($0) },
                nearbyChallenge: asked.nearbyChallenge,
                showsNumber: NumberPreference(parsing: start.prefer) != nil,
                renewsLink: FreshLinkPreference.isStated(in: start.prefer)
            )
        )
        return JSONResponse(CompactJSON.bytes(of: try response(outcome)))
    }

    private func response(_ outcome: SignInStartOutcome) throws -> DeviceAuthorizationResponse {
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
                interval: SignInStartService.interval
            )
        case .refused(let refusal):
            throw OAuthError(.invalidClient, "client authentication failed", because: "policy: \(refusal)")
        case .noFreeCode:
            throw OAuthError(
                .temporarilyUnavailable,
                "no code is free",
                because: "all user codes that were drawn are in use"
            )
        case .unknownDomain:
            throw UnexpectedStartError()
        }
    }

    /// Internal error: a request without a domain was started in another way than with a code.
    private struct UnexpectedStartError: Error {}
}
