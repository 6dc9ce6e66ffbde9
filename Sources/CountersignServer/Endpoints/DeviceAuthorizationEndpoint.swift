internal import Countersign
internal import CountersignWire
internal import Foundation
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
        let signIn = self.request(asked, scope: try client.permitted(asked.scope), by: client, request, in: context)
        let codes = try await open(signIn, asked.nearbyChallenge)
        return try .json(response(codes, to: signIn, lifetime: client.client.lifetimes.code))
    }

    private func request(
        _ asked: DeviceAuthorizationRequest,
        scope: Scope,
        by client: AuthenticatedClient,
        _ request: Request,
        in context: ServerRequestContext
    ) -> SignInRequest {
        let now = server.clock.now()
        return SignInRequest(
            id: server.mint.identifier(),
            client: Fact(client.client.id, client.provenance),
            scope: .verified(scope),
            address: context.address(of: request, by: server.addresses).map { .observed($0) },
            deviceName: asked.deviceName.map { .asserted($0) },
            software: request.headers[.userAgent].flatMap { DeviceAuthorizationRequest.presentable($0) }.map {
                .asserted($0)
            },
            asked: .observed(now),
            deadline: now.addingTimeInterval(client.client.lifetimes.code)
        )
    }

    /// Records the request under a new pair of codes. A user code that is in use already is drawn again.
    private func open(
        _ signIn: SignInRequest,
        _ challenge: NearbyChallenge?
    ) async throws -> (device: DeviceCode, user: UserCode) {
        let keys = try await server.keys.current()
        let rateKeys: [RateLimitKey] = [
            .address(.startPerAddress, signIn.address?.value),
            .client(.startPerClient, signIn.client.value),
            .overall(.startOverall),
        ]
        let drawn = try await server.store.retryingTakenKeys {
            let codes = (device: server.mint.secret(DeviceCode.self), user: server.mint.userCode())
            let stored = StoredExchange(
                exchange: SignInExchange(request: signIn),
                deviceCode: codes.device.digest,
                userCode: keys.digest(of: codes.user),
                interval: DeviceAuthorizationResponse.standardInterval,
                nearbyChallenge: challenge
            )
            try await record(stored, counting: rateKeys)
            return codes
        }
        guard let drawn else {
            throw OAuthError(
                .temporarilyUnavailable,
                "no code is free",
                because: "all user codes that were drawn are in use"
            )
        }
        return drawn
    }

    private func record(_ stored: StoredExchange, counting rateKeys: [RateLimitKey]) async throws {
        do {
            try await server.store.change { repositories in
                try server.policy.authorize(
                    .start,
                    client: stored.exchange.request.client.value,
                    subject: nil,
                    evidence: Evidence(),
                    in: repositories
                )
                try server.limits.admitAndCount(rateKeys, in: repositories)
                try repositories.exchanges.insert(stored)
            }
        } catch is Policy.Refusal {
            throw OAuthError(.invalidClient, "client authentication failed", because: "refused by policy")
        }
    }

    private func response(
        _ codes: (device: DeviceCode, user: UserCode),
        to signIn: SignInRequest,
        lifetime: TimeInterval
    ) -> DeviceAuthorizationResponse {
        DeviceAuthorizationResponse(
            deviceCode: codes.device,
            userCode: ShownCode(codes.user.description),
            verificationURI: server.issuer.appending("activate"),
            verificationURIComplete: server.issuer.appending("activate?user_code=\(codes.user)"),
            expiresIn: Int(lifetime),
            interval: DeviceAuthorizationResponse.standardInterval
        )
    }
}
