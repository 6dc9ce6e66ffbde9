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

    /// The outcome of one decision. Refusals are values: they count against the limits, so they must not roll the
    /// change back.
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
        let address = context.address(of: request, by: server.addresses)
        return try await server.approvers.answering(request) { keys in
            guard
                let token = try await PresentedAccessToken(
                    in: request,
                    over: context.certificate,
                    at: Self.path,
                    verifying: server.proofs
                )
            else { return .tokenChallenge(to: request) }
            let app = try await server.store.read {
                try server.approvers.app(presenting: token, trusting: keys, in: $0)
            }
            let decision = try await verified(request, of: app, from: address)
            switch try await record(decision, presenting: token, trusting: keys, from: address) {
            case .refused(let error):
                throw error
            case .decided:
                let claims = decision.claims
                return try .json(NearbyDecideResponse(exchange: claims.exchange, decision: claims.answer))
            }
        }
    }

    private func rateKeys(of app: ApprovingApp, from address: String?) -> [RateLimitKey] {
        [
            .address(.nearbyDecisionPerAddress, address),
            .subject(.nearbyDecisionPerAccount, app.person.subject),
        ]
    }

    /// Verifies the decision in a request; an invalid one counts against the limits like every other.
    private func verified(
        _ request: Request,
        of app: ApprovingApp,
        from address: String?
    ) async throws -> VerifiedNearbyDecision {
        let form = try await request.form()
        do {
            return try VerifiedNearbyDecision(
                try UnverifiedNearbyDecision(form: form),
                by: app.signIn.approverKey,
                for: server.issuer,
                at: server.clock.now()
            )
        } catch {
            try await server.store.change { try server.limits.admitAndCount(rateKeys(of: app, from: address), in: $0) }
            throw error
        }
    }

    private func record(
        _ decision: VerifiedNearbyDecision,
        presenting token: PresentedAccessToken,
        trusting keys: Keys,
        from address: String?
    ) async throws -> Outcome {
        try await server.approvals.deciding { repositories, step in
            let app = try server.approvers.app(presenting: token, trusting: keys, in: repositories)
            try server.limits.admitAndCount(rateKeys(of: app, from: address), in: repositories)
            do {
                let stored = try request(of: decision, by: app, at: step.now, in: repositories)
                switch try step.decide(proposal(decision, on: stored, by: app, from: address)) {
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
            place: .open,
            party: .app(app),
            evidence: decision.evidence(of: app, sameNetwork: network),
            link: decision.claims.link,
            address: address,
            note: decision.note(by: app)
        )
    }
}
