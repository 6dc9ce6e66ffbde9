internal import CoreMetrics
internal import Countersign
internal import CountersignWire
internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// `/activate/confirm`: who asks for what; `/activate/decision`: the person's answer.
///
/// Standard: RFC 8628 §3.3, §5.4; RFC 10027 for what the page must make plain.
struct ConfirmPage: Sendable {
    let pages: PageRoutes
    let server: ServerServices

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("activate/confirm", [.get: show], on: router)
        pages.mount("activate/decision", [.post: decide], on: router)
    }

    // MARK: Showing

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.person(visiting: request)
        let query = request.uri.queryParameters
        guard let named = NamedRequest({ query[$0[...]].map(String.init) }) else {
            return pages.redirect(to: "/activate")
        }
        let key = named.key(by: try await server.keys.current())
        let now = server.clock.now()
        let address = context.address(of: request, by: server.addresses)
        let found = try await server.store.read { repositories -> (AskingScreen, ReturnAddress?)? in
            guard let exchange = try key.find(for: visitor.person.subject, in: repositories)?.exchange,
                exchange.taking(at: now)?.approver == visitor.session.approver, now < exchange.request.deadline,
                let client = try repositories.clients.find(exchange.request.client.value)
            else { return nil }
            let domain = try repositories.domain(of: exchange.request)
            return (
                AskingScreen(request: exchange.request, client: client, domain: domain, visitorAddress: address),
                try repositories.returnAddress(named.returning, for: exchange.request)
            )
        }
        guard let (asking, returning) = found else { return pages.redirect(to: named.entrance) }
        return try pages.html(asking.confirmation(of: named, for: visitor, at: now), leadingTo: returning)
    }

    // MARK: Deciding

    private enum Outcome: Sendable {
        case decided(SignInRequest.ID)
        case refused(DecisionRefused)
        /// Decided before, by the same person.
        case standing(ReturnAddress.Result)
        case forbidden
        /// A code is not enough for what is asked.
        case notNearby
    }

    private func decide(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        guard let named = NamedRequest({ form[$0] }), let answer = form["decision"],
            answer == "approve" || answer == "deny"
        else { throw PageProblem.formExpired }
        let address = context.address(of: request, by: server.addresses)
        let isApproving = answer == "approve"
        let (outcome, returning) = try await record(approving: isApproving, named, by: visitor, from: address)
        switch outcome {
        case .decided(let id):
            (isApproving ? server.metrics.approved : server.metrics.denied).increment()
            if let returning { return pages.redirect(to: returning, telling: isApproving ? .success : .cancelled) }
            return pages.redirect(to: "/activate/result?request=\(id)")
        case .refused(.notTaken):
            return pages.redirect(to: named.entrance)
        case .refused, .forbidden:
            if let returning { return pages.redirect(to: returning, telling: .cancelled) }
            return try result(.expired, for: visitor, status: .gone)
        case .notNearby:
            if let returning { return pages.redirect(to: returning, telling: .cancelled) }
            return try result(.nearbyOnly, for: visitor, status: .forbidden)
        case .standing(let first):
            if let returning { return pages.redirect(to: returning, telling: first) }
            return try result(.alreadyDecided, for: visitor, status: .conflict)
        }
    }

    /// Records the answer, and says where the browser may go then.
    ///
    /// - Throws: ``PageProblem/strayReturn``, before anything is changed.
    private func record(
        approving: Bool,
        _ named: NamedRequest,
        by visitor: SignedInVisitor,
        from address: String?
    ) async throws -> (Outcome, ReturnAddress?) {
        let key = named.key(by: try await server.keys.current())
        let grantID = server.mint.identifier(Grant.ID.self)
        let now = server.clock.now()
        return try await server.store.change { repositories in
            // Who has not taken a code learns nothing about it, not even whether it exists.
            guard var stored = try key.find(for: visitor.person.subject, in: repositories),
                stored.exchange.taker == visitor.person.subject || stored.exchange.decider == visitor.person.subject
            else { return (.refused(.notTaken), nil) }
            let returning = try repositories.returnAddress(named.returning, for: stored.exchange.request)
            var evidence = stored.exchange.taking(at: now)?.evidence ?? Evidence()
            evidence.add(.accountPassword(at: visitor.session.authenticated))
            let grant = Grant(
                id: grantID,
                subject: visitor.person.subject,
                client: stored.exchange.request.client.value,
                scope: stored.exchange.request.scope.value,
                evidence: evidence,
                approved: now
            )
            do {
                try stored.exchange.record(approving ? .approve(grant) : .deny, by: visitor.session.approver, at: now)
                if approving { try authorize(grant, for: stored.exchange.request, in: repositories) }
            } catch DecisionRefused.alreadyDecided {
                return (.standing(stored.exchange.grant == nil ? .cancelled : .success), returning)
            } catch let refusal as DecisionRefused {
                return (.refused(refusal), returning)
            } catch Policy.Refusal.notNearby {
                return (.notNearby, returning)
            } catch is Policy.Refusal {
                return (.forbidden, returning)
            }
            try repositories.exchanges.update(stored)
            try repositories.record(
                AuditEntry.Facts(
                    at: now,
                    approving ? .approved : .denied,
                    by: .person,
                    subject: visitor.person.subject,
                    client: grant.client,
                    request: stored.id,
                    address: address,
                    detail: approving ? evidence.audited : nil
                )
            )
            return (.decided(stored.id), returning)
        }
    }

    /// - Throws: `Policy.Refusal`, also when the domain that the request is for is known no more.
    private func authorize(_ grant: Grant, for request: SignInRequest, in repositories: any Repositories) throws {
        if request.domain != nil, try repositories.domain(of: request) == nil {
            throw Policy.Refusal.client(.absent)
        }
        try server.policy.authorize(
            .decision,
            client: grant.client,
            subject: grant.subject,
            evidence: grant.evidence,
            scope: grant.scope,
            in: repositories
        )
    }

    private func result(
        _ outcome: ResultView.Outcome,
        for visitor: SignedInVisitor,
        status: HTTPResponse.Status
    ) throws -> Response {
        let view = ResultView(
            personName: visitor.person.name,
            formToken: visitor.formToken.revealed,
            outcome: outcome
        )
        return try pages.html(view, status: status)
    }
}
