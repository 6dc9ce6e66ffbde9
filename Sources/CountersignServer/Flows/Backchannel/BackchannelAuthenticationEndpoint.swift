internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `POST /bc-authorize`: a client names a person, whom the server asks for a decision.
///
/// Standard: OpenID CIBA Core 1.0 §7; FAPI-CIBA §5.2.2.
struct BackchannelAuthenticationEndpoint: Sendable {
    let services: FlowServices

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint("bc-authorize", [.post: answer])
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let submitted = try await request.submittedForm()
        let client = try await services.clients.authentication.authenticated(
            submitted.credentials, by: request, in: context)
        try client.require(.backchannelAuthentication)
        guard client.provenance == .verified else {
            throw OAuthError(
                .unauthorizedClient,
                "a client needs a secret, a key or a certificate for this",
                because: "a public client"
            )
        }
        let asked = try await BackchannelRequests(services: services).request(in: submitted.form, by: client)
        let registration = client.client.backchannel
        let now = services.clock.now()
        let person = try PersonReference(
            asked.hint,
            of: client.client,
            for: services.issuer,
            trusting: try await services.keys.current(),
            at: now
        )
        let lifetime = client.client.lifetimes.code
        let scope = try client.permitted(asked.scope)
        // Standard: OpenID CIBA Core 1.0 §7.1: it is a request of OpenID Connect, whose answer has an ID token.
        guard scope.contains(.openid) else {
            throw OAuthError(
                .invalidScope, "the client is not registered for openid", because: "\(client.client.id) lacks openid")
        }
        let outcome = try await services.starts.start(
            SignInStartRequest(
                client: client.client,
                provenance: client.provenance,
                scope: scope,
                address: context.address(of: request, by: services.addresses),
                software: nil,
                classes: AuthenticationClass.known(among: asked.acrValues),
                ways: [.push],
                lifetime: asked.requestedExpiry.map { min(TimeInterval($0), lifetime) },
                service: try services.policy.bounded(asked.service, at: now)
            ),
            over: SignInStartService.BackchannelStart(
                person: person,
                terms: BackchannelTerms(
                    deliveryMode: registration.deliveryMode, bindingMessage: asked.bindingMessage),
                notificationToken: registration.deliveryMode.isNotified ? asked.notificationToken : nil,
                code: asked.userCode.map { BackchannelUserCode(revealing: $0) }
            )
        )
        switch outcome {
        case .started(let started):
            return try .json(
                BackchannelAuthenticationResponse(
                    request: started.request,
                    expiresIn: Int(started.lifetime.rounded(.up)),
                    interval: registration.deliveryMode == .push ? nil : SignInStartService.interval,
                    verificationNumber: started.number
                )
            )
        case .unknownPerson:
            throw OAuthError(.unknownUserID, "nobody is known by this hint", because: "no such person")
        case .codeRefused(isMissing: true):
            throw OAuthError(.missingUserCode, "user_code is missing", because: "no user_code")
        case .codeRefused(isMissing: false):
            throw OAuthError(.invalidUserCode, "the user_code is not good", because: "a wrong user_code")
        case .refused(.noWay): throw OAuthError.noWay
        case .refused(.client(.absent)):
            throw OAuthError(.invalidClient, "client authentication failed", because: "removed meanwhile")
        case .refused(let refusal):
            throw OAuthError(.unauthorizedClient, "the client may not ask now", because: "policy: \(refusal)")
        }
    }
}
