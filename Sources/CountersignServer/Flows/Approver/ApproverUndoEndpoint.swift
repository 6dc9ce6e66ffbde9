internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import Hummingbird

/// `POST /approver/undo`: an app that approves undoes an approval of its person.
///
/// A registered device may undo what its person approved anywhere. An app without one may undo what it approved itself,
/// so that a copy of an access token ends nothing else.
struct ApproverUndoEndpoint: Sendable {
    let requests: ApproverRequests
    private var services: FlowServices { requests.services }
    private static let path = "approver/undo"

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint(Self.path, [.post: services.proofs.givingNonces(answer)])
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await requests.answering(request, in: context, at: Self.path) { caller in
            try await caller.authenticate()
            let asked = try ApproverUndoRequest(form: try await request.form())
            let now = services.clock.now()
            let outcome = try await services.store.change { repositories in
                try undo(asked.exchange, by: try caller.countedApp(in: repositories), caller, at: now, in: repositories)
            }
            return try .json(ApproverUndoResponse(exchange: asked.exchange, outcome: outcome))
        }
    }

    private func undo(
        _ id: SignInRequest.ID,
        by app: ApprovingApp,
        _ caller: ApproverRequests.Caller,
        at now: Date,
        in repositories: any Repositories
    ) throws -> UndoOutcome {
        let place = try ApproverPlace(of: app.signIn, in: repositories)
        let isItsOwn = try repositories.signedDecisions.find(id)?.signIn == app.signIn.grant.id
        if case .client = place, !isItsOwn { return .nothing }
        guard let grant = try repositories.exchanges.find(id)?.exchange.grant else { return .nothing }
        return try Revocation(repositories).undo(
            grant.id, by: app.person.subject, at: place, from: caller.address, at: now)
    }
}
