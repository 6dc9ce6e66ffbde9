internal import Countersign
internal import CountersignWire
internal import Foundation
internal import HTTPTypes
internal import Hummingbird

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

    /// The outcome of one decision. Refusals are values, so that they do not roll the change back.
    private enum Outcome: Sendable {
        case decided
        case refused(OAuthError)
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
            against: .nearbyDecision,
            reading: UnverifiedNearbyDecision.init(form:),
            signed: { $0 }
        ) { _, decision, caller in
            switch try await record(decision, sentBy: caller) {
            case .refused(let error):
                throw error
            case .decided:
                let claims = decision.claims
                return try .json(NearbyDecideResponse(exchange: claims.exchange, decision: claims.answer))
            }
        }
    }

    private func record(
        _ decision: VerifiedNearbyDecision,
        sentBy caller: ApproverRequests.Caller
    ) async throws -> Outcome {
        try await server.approvals.deciding { repositories, step in
            let app = try caller.app(in: repositories)
            do {
                let stored = try request(of: decision, by: app, at: step.now, in: repositories)
                switch try step.decide(proposal(decision, on: stored, by: app, from: caller.address)) {
                case .decided:
                    try decision.keep(by: app, at: step.now, in: repositories)
                    return .decided
                case .refused:
                    return .refused(Self.forbidden)
                case .wrongDigits:
                    // A phone nearby sends no digits of a request.
                    return .refused(Self.forbidden)
                case .repeated, .alreadyDecided, .notTaken, .expired, .addressedToAnother, .unmet:
                    return .refused(NearbyLookEndpoint.nothing)
                }
            } catch let error as OAuthError {
                return .refused(error)
            }
        }
    }

    /// The request that this person was shown at this phone.
    private func request(
        of decision: VerifiedNearbyDecision,
        by app: ApprovingApp,
        at now: Date,
        in repositories: any Repositories
    ) throws -> SignInExchangeRecord {
        let look = try decision.look(by: app, at: now, in: repositories)
        guard let stored = try repositories.exchanges.find(look.request) else { throw NearbyLookEndpoint.nothing }
        return stored
    }

    private func proposal(
        _ decision: VerifiedNearbyDecision,
        on stored: SignInExchangeRecord,
        by app: ApprovingApp,
        from address: String?
    ) -> ProposedDecision {
        let network = SameNetwork(stored.exchange.request.address?.value, address)
        return ProposedDecision(
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
