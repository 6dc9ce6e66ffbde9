internal import CountersignTransport
internal import HTTPTypes
internal import Logging
internal import FoundationEssentialsCompat

/// Delivers notices to clients, while the server runs: logout tokens and notifications of decisions.
///
/// Standard: OpenID Connect Back-Channel Logout 1.0 §2.5, §2.8; OpenID CIBA Core 1.0 §10.2, §10.3.
struct NoticeDelivery: DeliveryQueue {
    typealias Item = ClientNotice

    let store: any Store
    let transport: any HTTPTransport
    let clock: TimeSource
    let logger: Logger
    let tracing: ServerTracing?
    private let source: any NoticeSource

    static let subject = "notices"
    /// The maximum duration of one call.
    static let limit: Duration = .seconds(5)
    /// The delays between the attempts, in seconds; after the last one the notice fails.
    static let delays: [TimeInterval] = [30, 120, 600, 3600, 60]
    /// The longest wait for a next attempt, in seconds.
    static let longestDelay = delays.max() ?? 0
    /// The number of attempts.
    private static let most = delays.count

    init(_ core: ServerCore, from source: any NoticeSource, over transport: any HTTPTransport, logger: Logger) {
        store = core.store
        self.transport = transport
        clock = core.clock
        tracing = core.metrics.tracing
        self.logger = logger
        self.source = source
    }

    func due(
        in lane: DeliveryLane, at now: Date, exceptTo full: Set<ClientID>, limit: Int, in repositories: any Repositories
    ) throws -> [ClientNotice] {
        switch lane {
        case .messages, .webPush: []
        case .calls: try repositories.clientNotices.due(at: now, exceptTo: full, limit: limit)
        }
    }

    func next(after notice: ClientNotice, at now: Date) -> Date? {
        notice.attempts < Self.most ? now + Self.delays[notice.attempts] : nil
    }

    func update(_ notice: ClientNotice, in repositories: any Repositories) throws {
        try repositories.clientNotices.update(notice)
    }

    func giveUp(_ notice: ClientNotice, at now: Date, in repositories: any Repositories) throws {
        try giveUp(notice, because: "the last attempt was cut short", at: now, in: repositories)
    }

    func deliver(_ notice: ClientNotice) async throws {
        let call: NoticeCall
        switch try await action(for: notice) {
        case .call(let ready): call = ready
        case .nothing:
            // The client was removed, or no longer needs the notice.
            let now = clock.now()
            try await store.change { repositories in
                guard notice.grant == nil else {
                    return try giveUp(notice, because: "no address any more", at: now, in: repositories)
                }
                try repositories.clientNotices.remove(notice)
            }
            return
        case .unreadable:
            let reason = "it was sealed under a key that was replaced"
            note(notice, reason)
            let now = clock.now()
            return try await recordResult { try giveUp(notice, because: reason, at: now, in: $0) }
        }
        guard let (problem, isFinal) = await problem(with: call, about: notice) else {
            let now = clock.now()
            return try await recordResult { try accepted(notice, bringing: call.grant, at: now, in: $0) }
        }
        note(notice, problem)
        guard isFinal || notice.attempts >= Self.most else { return }
        let (sent, now) = (notice.bringing(call.grant), clock.now())
        try await recordResult { try giveUp(sent, because: problem, at: now, in: $0) }
    }

    private func note(_ notice: ClientNotice, _ reason: String) {
        logger.notice(
            "a notice was not delivered",
            metadata: [
                "client": "\(notice.client)", "of": "\(notice.matter)", "reason": "\(reason)",
                "attempt": "\(notice.attempts)",
            ]
        )
    }

    /// The action for a notice.
    private func action(for notice: ClientNotice) async throws -> NoticeAction {
        guard let client = try await store.read({ try $0.clients.find(notice.client) }) else { return .nothing }
        switch notice.matter {
        case .sessionEnded(let session):
            guard let address = client.redirects.backChannelLogout?.uri, let endpoint = try? Endpoint(address) else {
                return .nothing
            }
            let token = try await source.logoutToken(of: session, for: notice.subject, to: client)
            return .call(NoticeCall(to: endpoint, posting: token))
        case .requestEnded(let request):
            return try await source.action(for: notice, about: request, to: client)
        }
    }

    /// Calls a client; returns the problem, and whether it is permanent, or `nil` after success. Redirects are not
    /// followed, and the body of the answer is ignored.
    private func problem(with call: NoticeCall, about notice: ClientNotice) async -> (reason: String, isFinal: Bool)? {
        do {
            let status = try await transport.send(call.request, body: call.body, within: Self.limit).response.status
            guard status.kind != .successful else { return nil }
            return ("status \(status.code)", notice.isRefused(by: status))
        } catch {
            return (error.code.rawValue, false)
        }
    }

    /// Removes an accepted notice; an approval whose tokens it contained is final from then on.
    ///
    /// If the person ended that sign-in during the call, the notice remains, and its next attempt reports the end.
    private func accepted(
        _ notice: ClientNotice, bringing grant: Grant.ID?, at now: Date, in repositories: any Repositories
    ) throws {
        if let grant, try repositories.signIns.find(grant)?.revoked != nil {
            guard notice.attempts >= Self.most else { return }
        }
        try repositories.clientNotices.remove(notice)
        guard grant != nil, case .requestEnded(let request) = notice.matter else { return }
        try Approvals(repositories).noteDelivery(of: request, at: now)
    }

    /// Removes an undeliverable notice, with an audit entry. A sign-in ends if its tokens never reached their client.
    private func giveUp(
        _ notice: ClientNotice, because reason: String, at now: Date, in repositories: any Repositories
    ) throws {
        guard try repositories.clientNotices.remove(notice) else { return }
        let act: AuditAct
        var about: SignInRequest.ID?
        switch notice.matter {
        case .sessionEnded:
            act = .logoutNotDelivered
        case .requestEnded(let request):
            act = .decisionNotDelivered
            about = request
            if let grant = notice.grant, let undelivered = try repositories.signIns.find(grant),
                undelivered.revoked == nil
            {
                try SignIns(repositories).end(undelivered, because: .recordedOtherwise, at: now)
            }
        }
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: now, act, by: .server, subject: notice.subject, client: notice.client, request: about,
                detail: reason)
        )
    }
}

extension ClientNotice {
    /// The notice with the sign-in of its tokens, which this attempt may have created.
    fileprivate func bringing(_ grant: Grant.ID?) -> ClientNotice {
        var notice = self
        notice.grant = grant ?? self.grant
        return notice
    }

    /// Whether a status means permanent refusal: the client does not accept the notification token, and every call has
    /// the same one.
    ///
    /// Standard: OpenID CIBA Core 1.0 §10.2, which leaves it to the server; the tests of FAPI-CIBA require it.
    fileprivate func isRefused(by status: HTTPResponse.Status) -> Bool {
        switch matter {
        case .sessionEnded: false
        case .requestEnded: status == .unauthorized || status == .forbidden
        }
    }
}

/// The source of the contents of notices.
protocol NoticeSource: Sendable {
    /// The logout token about the end of a session.
    ///
    /// - Throws: ``StoreUnavailableError``.
    func logoutToken(of session: SessionID, for subject: Subject, to client: Client) async throws -> String

    /// The action for a notice about an ended request.
    ///
    /// - Throws: ``StoreUnavailableError``.
    func action(for notice: ClientNotice, about id: SignInRequest.ID, to client: Client) async throws -> NoticeAction
}

/// The action for a notice.
enum NoticeAction: Sendable {
    /// A call of the client.
    case call(NoticeCall)
    /// None: the client needs no notice.
    case nothing
    /// None: the secrets for the call can no longer be read.
    case unreadable
}

/// One request to a client.
struct NoticeCall: Sendable {
    let request: HTTPRequest
    let body: [UInt8]
    /// The sign-in of the tokens in it; `nil` for none.
    var grant: Grant.ID?

    /// Posts a logout token.
    ///
    /// Standard: OpenID Connect Back-Channel Logout 1.0 §2.5.
    init(to endpoint: Endpoint, posting token: String) {
        var form = Form()
        form["logout_token"] = token
        var request = endpoint.request(.post)
        request.headerFields[.contentType] = Form.mediaType
        self.request = request
        body = Array(form.encoded.utf8)
    }

    /// Posts a notification about a request over the back channel, as JSON.
    ///
    /// Standard: OpenID CIBA Core 1.0 §10.2, §10.3.1, §12.
    init(to endpoint: Endpoint, showing token: ClientNotificationToken, posting json: [UInt8]) {
        var request = endpoint.request(.post)
        request.headerFields[.contentType] = "application/json"
        request.headerFields[.authorization] = token.headerValue
        self.request = request
        body = json
    }
}
