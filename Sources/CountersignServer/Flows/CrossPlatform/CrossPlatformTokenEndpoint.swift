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
        var settled = TokenService.PollAnswer(verdict: try await verdict(on: request, in: context))
        if case .wait(let held) = settled.verdict { settled = await tokens.hold(held, in: context) }
        return try answer(settled, in: context)
    }

    @inline(never)  // Its frame holds the request, and must not become part of a waiting task's frame.
    private func verdict(on request: Request, in context: ServerRequestContext) async throws -> TokenService.Verdict {
        let address = context.address(of: request, by: services.addresses)
        let asked = try CrossPlatformTokenRequest(members: try await request.textMembers())
        let redeemed: TokenRequest =
            switch asked.grant {
            case .clientCredentials: .clientCredentials(scope: .none)
            case .deviceCode(let code): .deviceCode(code)
            }
        return await tokens.verdict(
            on: TokenService.ParsedRequest(
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

    private func answer(_ settled: TokenService.PollAnswer, in context: ServerRequestContext) throws -> Response {
        var response: Response
        switch settled.verdict {
        case .issued(let bytes):
            response = .json(bytes: bytes)
        case .pending(let screen):
            response = try pending(showing: screen)
        case .wait:
            response = try pending(showing: PendingScreen())
        case .refused(let error):
            response = CrossPlatformErrorForm.answer(to: error, logger: context.logger).response
        }
        if let applied = settled.applied { response.headers[.preferenceApplied] = applied.headerValue }
        return response
    }

    private func pending(showing screen: PendingScreen) throws -> Response {
        let reason = PendingResponse.authorizationPending.reason
        var response = try Response.json(PendingResponse(reason: reason, showing: screen.number, link: screen.link))
        response.status = .accepted
        return response
    }
}
