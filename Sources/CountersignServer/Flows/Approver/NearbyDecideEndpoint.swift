internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `POST /nearby/decide`: a phone sends the signed answer of its person to what they were shown.
///
/// The request is taken (even if another approver holds it) and decided in one change, for the one link that the phone
/// names.
struct NearbyDecideEndpoint: Sendable {
    let server: ServerServices
    private static let path = "nearby/decide"

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint(Self.path, [.post: server.proofs.givingNonces(answer)])
    }

    private static let forbidden = OAuthError(
        .accessDenied,
        "not on this evidence: let the person type the digits of the screen",
        because: "refused by policy"
    )

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await ApproverRequests(server: server).answeringDecision(
            request,
            in: context,
            at: Self.path,
            reading: UnverifiedNearbyDecision.init(form:),
            signed: { $0 }
        ) { _, decision, caller in
            // A phone nearby sends no digits of a request.
            let outcome = try await caller.decide(
                decision, forbidden: Self.forbidden, wrongDigits: Self.forbidden
            ) { stored, app, now, repositories in
                let screen = stored.exchange.request.address?.value
                let place = try server.addresses.samePlace(screen, caller.address, in: repositories, at: now)
                return proposal(decision, on: stored, by: app, in: place, from: caller.address)
            }
            try outcome.get()
            let claims = decision.claims
            return try .json(NearbyDecideResponse(exchange: claims.exchange, decision: claims.answer))
        }
    }

    private func proposal(
        _ decision: VerifiedNearbyDecision,
        on stored: SignInExchangeRecord,
        by app: ApprovingApp,
        in network: SameNetwork,
        from address: String?
    ) -> ProposedDecision {
        ProposedDecision(
            answer: decision.claims.answer == .approve ? .approve : .deny,
            stored: stored,
            requestState: .open,
            party: .app(app),
            evidence: decision.evidence(of: app, sameNetwork: network),
            link: decision.claims.link,
            address: address,
            note: decision.note(by: app)
        )
    }
}
