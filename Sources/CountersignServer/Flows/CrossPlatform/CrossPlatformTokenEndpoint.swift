internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// `POST /cpa/token`: a device asks for its token for one domain.
///
/// It reads the request and writes the answer; ``TokenService`` decides, as it does for `POST /token`.
/// Standard: ETSI TS 103 407 §8.4. `Prefer: wait` works here too, a pending answer names the number to show, and a DPoP
/// proof binds the token to its key (RFC 9449 §5); both are additions of ours.
struct CrossPlatformTokenEndpoint: Sendable {
    let services: FlowServices
    let tokens: TokenService

    func mount(on router: some RouterMethods<ServerRequestContext>, for pages: CrossOriginAccess) {
        // The errors take their form here, so that they have a nonce too.
        let answer = CrossPlatformErrorForm.answering(answer)
        router.crossPlatform("token", from: pages, services.proofs.givingNonces(answer))
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let result = await (try await step(for: request, in: context)).result(in: context)
        return try answer(result, in: context)
    }

    @inline(never)  // Its frame holds the request, and must not become part of a waiting task's frame.
    private func step(for request: Request, in context: ServerRequestContext) async throws -> TokenStep {
        let address = context.address(of: request, by: services.addresses)
        let asked = try CrossPlatformTokenRequest(members: try await request.textMembers())
        let redeemed: TokenRequest =
            switch asked.grant {
            case .clientCredentials: .clientCredentials(scope: .none)
            case .deviceCode(let code): .deviceCode(code)
            }
        return await tokens.step(
            for: TokenService.ParsedRequest(
                credentials: PresentedCredentials(
                    client: asked.client, secret: asked.secret, method: .clientSecretPost),
                request: .success(redeemed),
                domain: asked.domain,
                address: address,
                wait: WaitPreference(parsing: request.headers[values: .prefer]),
                number: NumberPreference(parsing: request.headers[values: .prefer]),
                proof: Result { () throws(OAuthError) in try UnverifiedDPoPProof(in: request.headers) }
            )
        )
    }

    private func answer(_ result: TokenResult, in context: ServerRequestContext) throws -> Response {
        switch result {
        case .issued(let bytes), .repeated(let bytes): return .json(bytes: bytes)
        case .pending(let request):
            let screen = request.screen(at: services.clock.now())
            let reason = PendingResponse.authorizationPending.reason
            var response = try Response.json(PendingResponse(reason: reason, showing: screen.number, link: screen.link))
            response.status = .accepted
            return response
        case .refused(let error): return CrossPlatformErrorForm.answer(to: error, logger: context.logger).response
        case .waited(let preference, let result):
            var response = try answer(result, in: context)
            response.headers[.preferenceApplied] = preference.headerValue
            return response
        }
    }
}

extension PollError: CrossPlatformAnswerable {
    /// Standard: ETSI TS 103 407 §8.4.1.2. A pending request is no error there.
    var crossPlatformAnswer: JSONResponse {
        let error =
            switch code {
            case .unknown: CrossPlatformError(.invalidRequest, "the device code is not good", because: reason)
            case .denied, .unmet: CrossPlatformError(.cancelled, "the person refused", because: reason)
            case .expired: CrossPlatformError(.expired, "the device code has expired", because: reason)
            case .slowDown(let retryIn):
                CrossPlatformError(.slowDown, "asked too early", retryIn: retryIn, because: reason)
            }
        return error.crossPlatformAnswer
    }
}
