internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `GET /authenticator/inbox`: an enrolled device reads the requests that wait for its person.
///
/// A device that names its list by the tag and prefers to wait is held until the list changes. The server does not
/// poll: the store announces changes, of other nodes too.
/// Standard: RFC 9110 §13.1.2 (`If-None-Match`); RFC 7240 for `Prefer: wait`.
struct AuthenticatorInboxEndpoint: Sendable {
    let requests: ApproverRequests
    /// The requests that are held open.
    let inboxes: ChangeWaiters
    private var services: FlowServices { requests.services }
    private static let path = "authenticator/inbox"

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint(Self.path, [.get: services.proofs.givingNonces(answer)])
    }

    /// A list, as it is right now.
    private struct Listing: Sendable {
        let subject: Subject
        let signIn: Grant.ID
        let entries: [AuthenticatorInbox.Entry]
        /// Requests that their asking side gave up; the tag says nothing of them.
        let cancelled: [SignInRequest.ID]
        /// The time when it was read.
        let read: Date
        /// The expiry of the request that expires first.
        let nextEnd: Date?
        /// Whether the time when the device was seen must be stored.
        let isToBeNoted: Bool

        /// The entity tag of the list.
        var tag: String {
            get throws { "\"\(AnswerDigest(of: Array(try JSONEncoder.wire.encode(entries))))\"" }
        }
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await requests.answering(request, in: context, at: Self.path) { caller in
            let listed = try await list(for: caller)
            if listed.isToBeNoted { try await note(listed) }
            guard Self.names(request, try listed.tag) else { return try Self.answer(listed) }
            guard let wait = WaitPreference(parsing: request.headers[values: .prefer]) else {
                return try Self.unchanged(listed)
            }
            let address = context.address(of: request, by: services.addresses)
            return try await held(listed, for: caller, wait, from: address, in: context)
        }
    }

    private func list(for caller: ApproverRequests.Caller) async throws -> Listing {
        let now = services.clock.now()
        return try await services.store.read { repositories in
            let app = try caller.app(in: repositories)
            var device = try repositories.devices.find(app.signIn.grant.id)
            let records = try RequestInbox(repositories).requests(of: app.person.subject, on: device, at: now)
            let isToBeNoted = device?.see(at: now) ?? false
            return Listing(
                subject: app.person.subject,
                signIn: app.signIn.grant.id,
                entries: records.map { AuthenticatorInbox.Entry($0) },
                cancelled: try repositories.exchanges.cancelled(for: app.person.subject, at: now),
                read: now,
                nextEnd: records.map(\.exchange.request.deadline).min(),
                isToBeNoted: isToBeNoted
            )
        }
    }

    /// Stores the time when a device was seen.
    private func note(_ listed: Listing) async throws {
        try await services.store.change { repositories in
            guard var device = try repositories.devices.find(listed.signIn), device.see(at: listed.read) else {
                return
            }
            try repositories.devices.update(device)
        }
    }

    /// Holds a request until the list changes or the time is over.
    private func held(
        _ known: Listing,
        for caller: ApproverRequests.Caller,
        _ wait: WaitPreference,
        from address: String?,
        in context: ServerRequestContext
    ) async throws -> Response {
        let tag = try known.tag
        // The tag covers the deadlines, so that the next one stays while the tag does.
        let held = HeldRequest(
            waiters: inboxes, topic: .inbox(known.subject), owner: known.signIn, address: address,
            end: services.end(of: wait, orAt: known.nextEnd))
        let changed = try await held.news(in: context) {
            // The token may have ended meanwhile, too.
            let now = try await list(for: caller)
            return try now.tag == tag ? nil : now
        }
        return try changed.map(Self.answer) ?? Self.unchanged(known)
    }

    // MARK: Answers

    private static func answer(_ listed: Listing) throws -> Response {
        var inbox = AuthenticatorInbox(requests: listed.entries, serverTime: listed.read.numericDate)
        if !listed.cancelled.isEmpty { inbox.cancelled = listed.cancelled }
        return try .json(inbox, headers: [.eTag: try listed.tag])
    }

    private static func unchanged(_ listed: Listing) throws -> Response {
        Response(status: .notModified, headers: [.eTag: try listed.tag, .cacheControl: "no-store"])
    }

    /// Whether a request names the list with this tag.
    private static func names(_ request: Request, _ tag: String) -> Bool {
        request.headers[values: .ifNoneMatch].contains { value in
            value.split(separator: ",").contains { part in
                let name = part.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }
                let text = String(name.reversed())
                return text == tag || text == "W/\(tag)"
            }
        }
    }
}

extension AuthenticatorInbox.Entry {
    fileprivate init(_ stored: SignInExchangeRecord) {
        let request = stored.exchange.request
        self.init(
            exchange: stored.id,
            kind: stored.method.kind,
            asked: request.asked.value.numericDate,
            expires: request.deadline.numericDate
        )
    }
}
