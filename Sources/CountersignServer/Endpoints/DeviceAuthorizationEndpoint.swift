internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// `POST /device_authorization`: a screen without a keyboard asks to be signed in.
///
/// Standard: RFC 8628 §3.1 (request) and §3.2 (response).
struct DeviceAuthorizationEndpoint: Sendable {
    let server: ServerServices

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint("device_authorization", [.post: answer])
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let submitted = try await request.submittedForm()
        let client = try await server.clients.authenticated(submitted.credentials, by: request, in: context)
        try client.require(.deviceCode)
        let asked = try DeviceAuthorizationRequest(form: submitted.form)
        let outcome = try await server.starts.start(
            SignInStartRequest(
                client: client.client,
                provenance: client.provenance,
                scope: try client.permitted(asked.scope),
                address: context.address(of: request, by: server.addresses),
                deviceName: asked.deviceName,
                software: request.headers[.userAgent].flatMap { DeviceAuthorizationRequest.presentable($0) },
                nearbyChallenge: asked.nearbyChallenge,
                showsNumber: NumberPreference(parsing: request.headers[values: .prefer]) != nil,
                renewsLink: FreshLinkPreference.isStated(in: request.headers[values: .prefer])
            )
        )
        return try .json(try response(outcome))
    }

    private func response(_ outcome: SignInStartOutcome) throws -> DeviceAuthorizationResponse {
        switch outcome {
        case .started(let started):
            guard case .code(let userCode) = started.way else { throw UnexpectedWay() }
            let mark = started.link.map { "&\(LinkMark.parameter)=\($0)" } ?? ""
            return DeviceAuthorizationResponse(
                deviceCode: started.deviceCode,
                userCode: ShownCode(userCode.description),
                verificationURI: server.issuer.appending("activate"),
                verificationURIComplete: server.issuer.appending("activate?user_code=\(userCode)\(mark)"),
                expiresIn: Int(started.lifetime),
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
            throw UnexpectedWay()
        }
    }

    /// Internal error: a request without a domain was started in another way than with a code.
    private struct UnexpectedWay: Error {}
}
