internal import CoreMetrics
internal import Countersign
internal import CountersignWire
internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// `POST /nearby/decide`: a phone brings the signed answer of its person to what they were shown.
///
/// The request is taken, or taken over, and decided in one step, for the one link that the phone names.
struct NearbyDecideEndpoint: Sendable {
    let server: ServerServices

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint("nearby/decide", [.post: answer])
    }

    /// What became of one decision. Refusals are values, since they count and so must not undo the change.
    private enum Outcome: Sendable {
        case decided
        case refused(OAuthError)
    }

    private static let forbidden = OAuthError(
        .accessDenied,
        "not on this evidence: let the person type the digits of the screen",
        because: "refused by policy"
    )

    private static let notShown = OAuthError(
        .invalidRequest,
        "something else was shown",
        because: "another digest of what was shown"
    )

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        guard let token = request.bearerToken else { return .bearerChallenge() }
        let address = context.address(of: request, by: server.addresses)
        return try await server.approvers.answering { keys in
            let app = try await server.store.read {
                try server.approvers.app(presenting: token, trusting: keys, in: $0)
            }
            let decision = try await verified(request, of: app, from: address)
            switch try await record(decision, presenting: token, trusting: keys, from: address) {
            case .refused(let error):
                throw error
            case .decided:
                let claims = decision.claims
                (claims.answer == .approve ? server.metrics.approved : server.metrics.denied).increment()
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

    /// The decision in a request; one that is not good counts like every other.
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
        presenting token: AccessToken,
        trusting keys: Keys,
        from address: String?
    ) async throws -> Outcome {
        let grant = server.mint.identifier(Grant.ID.self)
        let now = server.clock.now()
        return try await server.store.change { repositories in
            let app = try server.approvers.app(presenting: token, trusting: keys, in: repositories)
            try server.limits.admitAndCount(rateKeys(of: app, from: address), in: repositories)
            do {
                try record(decision, of: app, as: grant, from: address, at: now, in: repositories)
                return .decided
            } catch let error as OAuthError {
                return .refused(error)
            } catch is Policy.Refusal {
                return .refused(Self.forbidden)
            } catch is TakingRefused {
                return .refused(NearbyLookEndpoint.nothing)
            } catch is DecisionRefused {
                return .refused(NearbyLookEndpoint.nothing)
            }
        }
    }

    /// Decides; whatever is thrown is thrown before anything is written.
    private func record(
        _ decision: VerifiedNearbyDecision,
        of app: ApprovingApp,
        as grant: Grant.ID,
        from address: String?,
        at now: Date,
        in repositories: any Repositories
    ) throws {
        // It may have got one since it was looked up.
        guard (app.signIn.approverKey ?? decision.key) == decision.key else { throw VerifiedNearbyDecision.otherKey }
        var stored = try request(of: decision, by: app, at: now, in: repositories)
        let evidence = try decide(
            &stored.exchange, decision, of: app, as: grant, from: address, at: now, in: repositories)

        try repositories.exchanges.update(stored)
        try repositories.nearbyLooks.removeAll(of: stored.id)
        if app.signIn.approverKey == nil {
            var signIn = app.signIn
            signIn.approverKey = decision.key
            try repositories.signIns.update(signIn)
        }
        try repositories.nearbyDecisions.insert(
            NearbyDecisionRecord(
                request: stored.id,
                subject: app.person.subject,
                signIn: app.signIn.grant.id,
                key: decision.key,
                decided: now,
                signed: decision.signed
            )
        )
        let isApproving = decision.claims.answer == .approve
        try repositories.record(
            AuditEntry.Facts(
                at: now,
                isApproving ? .approved : .denied,
                by: .person,
                subject: app.person.subject,
                client: stored.exchange.request.client.value,
                request: stored.id,
                address: address,
                detail: "\(isApproving ? "\(evidence.audited), " : "")by \(app.signIn.grant.client), "
                    + "key \(decision.key.thumbprint)"
            )
        )
    }

    /// The request that this person was shown at this phone.
    private func request(
        of decision: VerifiedNearbyDecision,
        by app: ApprovingApp,
        at now: Date,
        in repositories: any Repositories
    ) throws -> StoredExchange {
        let claims = decision.claims
        guard let look = try repositories.nearbyLooks.find(claims.nonce.digest), now < look.expires,
            look.subject == app.person.subject, look.signIn == app.signIn.grant.id, look.request == claims.exchange,
            let stored = try repositories.exchanges.find(look.request)
        else { throw NearbyLookEndpoint.nothing }
        guard look.shown == claims.shown else { throw Self.notShown }
        return stored
    }

    private func decide(
        _ exchange: inout SignInExchange,
        _ decision: VerifiedNearbyDecision,
        of app: ApprovingApp,
        as grant: Grant.ID,
        from address: String?,
        at now: Date,
        in repositories: any Repositories
    ) throws -> Evidence {
        let request = exchange.request
        let evidence = decision.evidence(of: app, sameNetwork: SameNetwork(request.address?.value, address))
        try exchange.take(by: app.approver, proving: evidence, at: now)
        switch decision.claims.answer {
        case .deny:
            try exchange.record(.deny, by: app.approver, at: now)
        case .approve:
            try server.policy.authorize(
                .decision,
                client: request.client.value,
                subject: app.person.subject,
                evidence: evidence,
                scope: request.scope.value,
                in: repositories
            )
            let grant = Grant(
                id: grant,
                subject: app.person.subject,
                client: request.client.value,
                scope: request.scope.value,
                evidence: evidence,
                approved: now
            )
            try exchange.record(.approve(grant), by: app.approver, over: decision.claims.link, at: now)
        }
        return evidence
    }
}
