internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import Hummingbird

/// `/admin/deliveries`: administrators see the mails, text messages, push messages and calls that could not be sent.
struct DeliveriesPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore

    static let returns = ReturnPage(paths: [AdminNoun.deliveries.path])
    private static let most = 100

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("admin/deliveries", [.get: list], on: router)
    }

    private func list(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .read(.deliveries))
        let deliveries = try await core.store.read {
            try $0.deliveries.failing(before: .distantFuture, limit: Self.most)
        }
        var view = AdminView(.deliveries, for: visitor)
        view.sections = [AdminSection("all", .admin(.all), deliveries.map(entry))]
        return try pages.html(view)
    }

    private func entry(_ delivery: Delivery) -> AdminEntry {
        let now = core.clock.now()
        let (kind, receiver) = delivery.content.shown
        return AdminEntry(
            .admin(kind), code: delivery.id.rawValue,
            [
                AdminFact(.receiver, receiver), AdminFact(.made, delivery.made, at: now),
                AdminFact(.attempts, "\(delivery.attempts)"),
                AdminFact(.standing, delivery.state.shown), AdminFact(.problem, delivery.problem),
                delivery.isWaiting ? AdminFact(.nextAttempt, delivery.due, at: now) : nil,
            ])
    }
}

extension Delivery.Content {
    /// The kind, and the receiver; a device has none to show.
    fileprivate var shown: (kind: TextKey.Admin, receiver: String?) {
        switch self {
        case .text(_, to: let number): (.kindText, number.text)
        case .mail(let message, _): (.kindMail, message.address.rawValue)
        case .push: (.kindPush, nil)
        case .browserPush(_, to: _, at: let origin): (.kindPush, origin.rawValue)
        case .webhook(let site, _): (.kindCall, site.rawValue)
        case .newDevice, .limitAlarm: (.kindCall, nil)
        }
    }
}

extension Delivery.State {
    fileprivate var shown: LocalizedText {
        switch self {
        case .waiting: .admin(.stateWaiting)
        case .delivered: .admin(.stateDelivered)
        case .failed(.expired, at: _): .admin(.failureExpired)
        case .failed(.rejected, at: _): .admin(.failureRejected)
        case .failed(.deadAddress, at: _): .admin(.failureDeadAddress)
        case .failed(.attemptsSpent, at: _): .admin(.failureAttemptsSpent)
        case .failed(.noWay, at: _): .admin(.failureNoWay)
        case .failed(.withdrawn, at: _): .admin(.failureWithdrawn)
        }
    }
}
