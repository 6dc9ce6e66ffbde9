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
    let store: any Store
    let keys: KeyRing
    let mint: CodeMint
    let policy: Policy
    let clock: ServerClock
    let sight: AddressSight
    let metrics: ServerMetrics

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("activate/confirm", [.get: show], on: router)
        pages.mount("activate/decision", [.post: decide], on: router)
    }

    // MARK: Showing

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.person(visiting: request)
        guard let code = request.uri.queryParameters["user_code"].flatMap({ UserCode(parsing: String($0)) }) else {
            return pages.redirect(to: "/activate")
        }
        let digest = try await keys.current().digest(of: code)
        let now = clock.now()
        let found = try await store.read { repositories -> (StoredExchange, Client?)? in
            guard let stored = try repositories.exchanges.find(digest) else { return nil }
            return (stored, try repositories.clients.find(stored.exchange.request.client.value))
        }
        guard let (stored, client) = found, let client,
            stored.exchange.taking(at: now)?.approver == visitor.session.approver,
            now < stored.exchange.request.deadline
        else { return pages.redirect(to: "/activate?user_code=\(code)") }
        let asking = AskingScreen(
            request: stored.exchange.request,
            client: client,
            visitorAddress: context.address(of: request, by: sight)
        )
        return try pages.html(asking.confirmation(code: code, for: visitor, at: now))
    }

    // MARK: Deciding

    private enum Outcome: Sendable {
        case decided(SignInRequest.ID)
        case refused(DecisionRefused)
        case forbidden
    }

    private func decide(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        guard let code = form["user_code"].flatMap({ UserCode(parsing: $0) }), let answer = form["decision"],
            answer == "approve" || answer == "deny"
        else { throw PageProblem.formExpired }
        let address = context.address(of: request, by: sight)
        switch try await record(approving: answer == "approve", code, by: visitor, from: address) {
        case .decided(let id):
            (answer == "approve" ? metrics.approved : metrics.denied).increment()
            return pages.redirect(to: "/activate/result?request=\(id)")
        case .refused(.notTaken):
            return pages.redirect(to: "/activate?user_code=\(code)")
        case .refused(.expired), .refused(.anotherGrant), .forbidden:
            return try result(.expired, for: visitor, status: .gone)
        case .refused(.alreadyDecided):
            return try result(.alreadyDecided, for: visitor, status: .conflict)
        }
    }

    private func record(
        approving: Bool,
        _ code: UserCode,
        by visitor: SignedInVisitor,
        from address: String?
    ) async throws -> Outcome {
        let digest = try await keys.current().digest(of: code)
        let grantID = mint.identifier(Grant.ID.self)
        let now = clock.now()
        return try await store.change { [policy] repositories in
            // Who has not taken a code learns nothing about it, not even whether it exists.
            guard var stored = try repositories.exchanges.find(digest),
                stored.exchange.taker == visitor.person.subject || stored.exchange.decider == visitor.person.subject
            else { return .refused(.notTaken) }
            let request = stored.exchange.request
            var evidence = stored.exchange.taking(at: now)?.evidence ?? Evidence()
            evidence.add(.accountPassword(at: visitor.session.authenticated))
            let decision: Decision =
                approving
                ? .approve(
                    Grant(
                        id: grantID,
                        subject: visitor.person.subject,
                        client: request.client.value,
                        scope: request.scope.value,
                        evidence: evidence,
                        approved: now
                    )
                )
                : .deny
            do {
                try stored.exchange.record(decision, by: visitor.session.approver, at: now)
                if approving {
                    try policy.authorize(
                        .decision,
                        client: request.client.value,
                        subject: visitor.person.subject,
                        evidence: evidence,
                        in: repositories
                    )
                }
            } catch let refusal as DecisionRefused {
                return .refused(refusal)
            } catch is Policy.Refusal {
                return .forbidden
            }
            try repositories.exchanges.update(stored)
            try repositories.record(
                AuditEntry.Facts(
                    at: now,
                    approving ? .approved : .denied,
                    by: .person,
                    subject: visitor.person.subject,
                    client: request.client.value,
                    request: stored.id,
                    address: address,
                    detail: approving ? evidence.audited : nil
                )
            )
            return .decided(stored.id)
        }
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
