internal import CoreMetrics
internal import CountersignTransport
internal import Logging
internal import FoundationEssentialsCompat

/// Sends deliveries to phones and webhooks, while the server runs.
struct DeliveryService: DeliveryQueue {
    typealias Item = Delivery

    let store: any Store
    let clock: TimeSource
    let logger: Logger
    var tracing: ServerTracing? { metrics.tracing }
    let settings: DeliverySettings
    private let issuer: Issuer
    private let language: PageLanguage
    private let keys: KeyRing
    private let mint: CodeMint
    private let budget: MessageBudget
    private let metrics: ServerMetrics
    private let webhooks: WebhookCaller
    private let webPush: WebPushService?
    /// The configured push services, and the one for Web Push.
    private let pushServices: [any PushService]
    private let mails: any MailRendering
    private let secrets: any MailSecretChecking

    static let subject = "messages"

    init(
        _ core: ServerCore,
        settings: DeliverySettings,
        writing mails: any MailRendering,
        checking secrets: any MailSecretChecking,
        over transport: any HTTPTransport,
        logger: Logger,
        telling source: (any WebhookSource)? = nil
    ) {
        store = core.store
        clock = core.clock
        self.logger = logger
        self.settings = settings
        issuer = core.issuer
        language = mails.language
        keys = core.keys
        mint = core.mint
        budget = MessageBudget(limits: core.limits)
        metrics = core.metrics
        self.mails = mails
        let webPush = settings.webPush.map { WebPushService($0, for: core, over: transport) }
        self.webPush = webPush
        pushServices = settings.pushServices + [webPush].compactMap(\.self)
        self.secrets = secrets
        webhooks = WebhookCaller(source: source, transport: transport)
    }

    func due(
        in lane: DeliveryLane,
        at now: Date,
        exceptTo full: Set<Delivery.Receiver>,
        limit: Int,
        in repositories: any Repositories
    ) throws -> [Delivery] {
        try repositories.deliveries.due(in: lane, at: now, exceptTo: full, limit: limit)
    }

    func next(after delivery: Delivery, at now: Date) -> Date? {
        let delays = delivery.delays
        guard now < delivery.expires, delivery.attempts < delays.count else { return nil }
        return now + delays[delivery.attempts]
    }

    func update(_ delivery: Delivery, in repositories: any Repositories) throws {
        try repositories.deliveries.update(delivery)
    }

    func giveUp(_ delivery: Delivery, at now: Date, in repositories: any Repositories) throws {
        let reason: Delivery.Failure = now < delivery.expires ? .attemptsSpent : .expired
        metrics.delivered(delivery.kind, reason.rawValue)
        try budget.giveBack(delivery, in: repositories)
        // The keys for a fallback text are unavailable here, which is acceptable: a node rarely stops during its last
        // attempt.
        try PendingDeliveries(repositories).fail(delivery, reason, because: "no answer in time", by: mint, at: now) {
            _ in false
        }
    }

    func deliver(_ delivery: Delivery) async throws {
        guard try await hasLiveSecret(delivery) else { return try await withdraw(delivery) }
        let current = try await addressed(delivery)
        let delivery = current ?? delivery
        let outcome = current == nil ? .rejected("its device gets no more messages") : try await attempt(delivery)
        let now = clock.now()
        let problem: Delivery.Failure?
        let reason: String
        switch outcome {
        case nil:
            (problem, reason) = (.noWay, "nothing is set up to send it")
        case .accepted:
            (problem, reason) = (nil, "")
        case .unknown(let words):
            note(delivery, "the answer was lost: \(words)")
            (problem, reason) = (nil, words)
        case .rejected(let words):
            (problem, reason) = (.rejected, words)
        case .deadAddress(let words):
            (problem, reason) = (.deadAddress, words)
        case .retry(let words, after: let seconds):
            return try await postpone(delivery, because: words, after: seconds, at: now)
        }
        metrics.delivered(delivery.kind, problem?.rawValue ?? "accepted")
        guard let failure = problem else {
            return try await recordResult { repositories in
                // It may have been withdrawn meanwhile; the acceptance is recorded all the same.
                guard var current = try repositories.deliveries.find(delivery.id) else { return }
                current.end(.delivered(now))
                try repositories.deliveries.update(current)
            }
        }
        note(delivery, "\(failure.rawValue): \(reason)")
        let keys = try await keys.current()
        try await recordResult { [self] repositories in
            // Another content means that it has another address by now.
            guard let current = try repositories.deliveries.find(delivery.id), current.isWaiting,
                current.content == delivery.content
            else { return }
            try fail(current, failure, because: reason, at: now, in: repositories, under: keys)
        }
    }

    /// Whether the link or code of a mail still works; other deliveries have none that is replaced.
    private func hasLiveSecret(_ delivery: Delivery) async throws -> Bool {
        guard case .mail(let message, _?) = delivery.content else { return true }
        let keys = try await keys.current()
        guard let secret = delivery.mailSecret(openedBy: keys) else { return true }
        let now = clock.now()
        return try await store.read { [secrets] in
            try secrets.isLive(secret, in: message, at: now, under: keys, by: $0)
        }
    }

    /// Ends a delivery that nobody needs any more. That is no failure, and is not audited.
    private func withdraw(_ delivery: Delivery) async throws {
        let now = clock.now()
        metrics.delivered(delivery.kind, Delivery.Failure.withdrawn.rawValue)
        try await recordResult { repositories in
            guard var current = try repositories.deliveries.find(delivery.id), current.isWaiting else { return }
            current.end(.failed(.withdrawn, at: now))
            try repositories.deliveries.update(current)
        }
    }

    private func fail(
        _ delivery: Delivery,
        _ failure: Delivery.Failure,
        because reason: String,
        at now: Date,
        in repositories: any Repositories,
        under keys: Keys
    ) throws {
        try budget.giveBack(delivery, in: repositories)
        let telling = RequestDeliveries(
            repositories: repositories, budget: budget, mint: mint, keys: keys, issuer: issuer, language: language,
            now: now)
        try PendingDeliveries(repositories).fail(
            delivery, failure, because: reason, by: mint, at: now, otherwise: telling.tellByText)
    }

    /// Postpones a delivery to its next attempt, which was set at the claim, or fails it after the last one.
    private func postpone(_ delivery: Delivery, because reason: String, after seconds: Int?, at now: Date) async throws
    {
        note(delivery, reason)
        let isLast = delivery.attempts >= delivery.delays.count
        let requested = seconds.map { now + Double(min(max($0, 0), 3600)) } ?? delivery.due
        let isOver = isLast || max(requested, delivery.due) >= delivery.expires
        metrics.delivered(delivery.kind, isOver ? "given_up" : "postponed")
        let keys = try await keys.current()
        try await recordResult { [self] repositories in
            guard var current = try repositories.deliveries.find(delivery.id), current.isWaiting else { return }
            if isOver {
                return try fail(
                    current, isLast ? .attemptsSpent : .expired, because: reason, at: now, in: repositories,
                    under: keys)
            }
            let earlier = current
            current.due = max(requested, current.due)
            current.note(reason)
            // A gateway that is down gives the same reason again and again.
            guard current != earlier else { return }
            try repositories.deliveries.update(current)
        }
    }

    /// A push message with the current address of its device, since another person's app may use the queued one by now;
    /// `nil` when the device no longer receives messages.
    private func addressed(_ delivery: Delivery) async throws -> Delivery? {
        guard case .push(let payload, to: let queued) = delivery.content, let id = delivery.device else {
            return delivery
        }
        let now = clock.now()
        let address = try await store.read { repositories in
            try repositories.devices.find(id).flatMap { try Announcements(repositories).pushAddress(of: $0, at: now) }
        }
        guard let address else { return nil }
        guard address.token != queued.token else { return delivery }
        var moved = delivery
        moved.content = .push(payload, to: address)
        try await recordResult { [moved] repositories in
            guard var current = try repositories.deliveries.find(moved.id), current.isWaiting else { return }
            current.content = moved.content
            try repositories.deliveries.update(current)
        }
        return moved
    }

    private static let unreadable = DeliveryOutcome.rejected("its words cannot be read")

    /// Makes one attempt; `nil` when no gateway or service for it is configured.
    private func attempt(_ delivery: Delivery) async throws -> DeliveryOutcome? {
        switch delivery.content {
        case .text(_, to: let number):
            guard let gateway = settings.gateway else { return nil }
            guard let text = delivery.words(openedBy: try await keys.current()) else { return Self.unreadable }
            return await gateway.send(TextMessage(id: delivery.id, to: number, text, expires: delivery.expires))
        case .mail(let message, let sealed):
            guard let gateway = settings.mailGateway else { return nil }
            let secret = try await sealed == nil ? nil : delivery.mailSecret(openedBy: keys.current())
            guard sealed == nil || secret != nil else { return Self.unreadable }
            let lifetime = delivery.expires.timeIntervalSince(delivery.made)
            let content = mails.content(of: message, secret, lifetime: lifetime)
            return await gateway.send(
                Mail(
                    id: delivery.id, to: Mailbox(message.address, name: message.name), content, made: delivery.made,
                    expires: delivery.expires))
        case .push(let payload, to: let address):
            guard let service = pushServices.first(where: { $0.serves(address.service) }) else { return nil }
            return await service.send(PushMessage(id: delivery.id, to: address, payload, expires: delivery.expires))
        case .browserPush(let payload, to: let session, at: _):
            return try await push(payload, to: session, by: delivery)
        case .webhook(let environment, let request):
            return try await webhooks.call(environment, about: request, as: delivery.id)
        case .newDevice(let device): return try await call(about: device, as: delivery.id)
        case .limitAlarm(let alarm): return try await call(about: alarm, as: delivery.id)
        }
    }

    /// Sends a push message to the browser of a session, in the language of its pages; `nil` when no service is
    /// configured.
    private func push(
        _ payload: PushPayload, to session: ApproverID, by delivery: Delivery
    ) async throws -> DeliveryOutcome? {
        guard let webPush else { return nil }
        let now = clock.now()
        guard let push = try await store.read({ try BrowserPushes($0).live(session, at: now) }) else {
            return .rejected("its browser gets no more messages")
        }
        let words = LocalizedText.text(.pushMessage).words(in: .of(PageLanguage(rawValue: push.language) ?? language))
        return await webPush.send(
            PushMessage(
                id: delivery.id, to: PushAddress(push.subscription), payload, saying: words, expires: delivery.expires))
    }

    /// Calls the operator's webhook; `nil` when there is none.
    private func call<Fact: Codable & Sendable & Equatable>(
        about fact: Fact, as delivery: Delivery.ID
    ) async throws -> DeliveryOutcome? {
        guard let webhook = settings.deviceWebhook else { return nil }
        let token = try OperatorCallToken.text(
            of: fact, event: delivery.rawValue, issuer: issuer.text, by: webhook.secret, at: clock.now())
        return await webhooks.call(WebhookMessage(address: webhook.address, token: token), as: delivery)
    }

    private func note(_ delivery: Delivery, _ reason: String) {
        logger.notice(
            "a message was not delivered",
            metadata: [
                "delivery": "\(delivery.id)", "kind": "\(delivery.kind)", "reason": "\(reason)",
                "attempt": "\(delivery.attempts)",
            ]
        )
    }
}

extension Delivery {
    /// The name of its kind, in metrics and lists.
    package var kind: String {
        switch content {
        case .text: "text"
        case .mail: "mail"
        case .push: "push"
        case .browserPush: "browser_push"
        case .webhook: "webhook"
        case .newDevice: "new_device"
        case .limitAlarm: "limit_alarm"
        }
    }

    /// The delays between each attempt and the next one, in seconds.
    fileprivate var delays: [TimeInterval] {
        switch content {
        case .text, .push, .browserPush: DeliveryTimes.messageDelays
        case .mail: DeliveryTimes.mailDelays
        case .webhook, .newDevice, .limitAlarm: DeliveryTimes.webhookDelays
        }
    }
}
