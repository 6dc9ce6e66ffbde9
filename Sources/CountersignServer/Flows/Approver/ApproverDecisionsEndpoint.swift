internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import Hummingbird

/// `GET /approver/decisions`: an app that approves reads what its person decided within the last hour, on this device
/// or elsewhere, and whether that was undone since.
struct ApproverDecisionsEndpoint: Sendable {
    let requests: ApproverRequests
    private var services: FlowServices { requests.services }
    private static let path = "approver/decisions"
    /// The maximum age of a listed decision, in seconds: an hour.
    private static let span: TimeInterval = 3600
    /// The maximum number of listed decisions.
    private static let most = 20

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint(Self.path, [.get: services.proofs.givingNonces(answer)])
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await requests.answering(request, in: context, at: Self.path) { caller in
            let now = services.clock.now()
            let listed = try await services.store.read { repositories in
                let app = try caller.app(in: repositories)
                return try RecentRequests(repositories).decided(
                    by: app.person.subject, since: now.addingTimeInterval(-Self.span), limit: Self.most, at: now
                ).compactMap { DecisionListing($0, at: now) }
            }
            return try .json(listed)
        }
    }
}

extension DecisionListing {
    /// The listing of a request; `nil` for one without a decision.
    fileprivate init?(_ history: RequestHistory, at now: Date) {
        let records = history.records
        guard let last = history.outcome else { return nil }
        self.init(
            exchange: records.id,
            clientName: records.shownClient.name,
            deviceName: records.request?.deviceName.map { FactLine.claim($0.value) },
            outcome: Outcome(last),
            since: last.at.numericDate,
            words: last.english
        )
        undoUntil = history.undoEnd(at: now)?.numericDate
    }
}

extension DecisionListing.Outcome {
    fileprivate init(_ event: RequestEvent) {
        self =
            switch event.kind {
            case .approved, .approvedUnasked: .approved
            case .denied, .reported: .denied
            case .undone: event.by == .client ? .undoneAtScreen : .undone
            default: .ended
            }
    }
}
