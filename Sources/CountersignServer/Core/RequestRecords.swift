internal import FoundationEssentialsCompat

/// The records about one request for sign-in that are still stored.
package struct RequestRecords: Sendable {
    /// The name of a device or an app where a person answered.
    enum Answerer: Sendable, Equatable {
        /// A device, by the person's name for it, its model, or its identifier if it was removed.
        case device(String)
        /// An app without an enrolled device.
        case app(String)
    }

    /// The identifier of the request.
    package let id: SignInRequest.ID
    /// The request with its state; `nil` when it was removed, some time after its deadline.
    let exchange: SignInExchangeRecord?
    /// The sign-in that came of it; `nil` when there is none, or it was removed after its end.
    let signIn: SignInRecord?
    /// The audit entries about it, the oldest first.
    let entries: [AuditEntry]
    /// The messages and calls about it, the oldest first.
    let deliveries: [Delivery]
    /// The client, as it is registered now; `nil` when it was removed.
    package let client: Client?
    /// The service that the tokens are for; `nil` for none.
    package let domain: ServiceDomain?
    /// The app that signed the decision; `nil` when no app did.
    let signer: Answerer?
    /// The names of the places that the audit notes.
    let answerers: [String: Answerer]
    /// The people who took part, or whom the request is for.
    package let people: [Subject: Person]

    /// The request; `nil` when it was removed, and no sign-in keeps it.
    package var request: SignInRequest? { exchange?.exchange.request ?? signIn?.request }

    /// The client that asked; `nil` when no record names it.
    package var clientID: ClientID? {
        request?.client.value ?? entries.lazy.compactMap(\.facts.client).first
    }

    /// The grant that an approval gave; `nil` for none, and when no record keeps it.
    var grant: Grant? { exchange?.exchange.grant ?? signIn?.grant }

    /// Whether the request itself was removed, so that only other records tell of it.
    package var isSwept: Bool { exchange == nil }

    /// Whether a person took part in the request, or it was made for them.
    package func concerns(_ subject: Subject) -> Bool { people[subject] != nil }

    /// The device or app at a place that the audit notes.
    func answerer(at place: ApproverPlace) -> Answerer? { answerers[place.audited] }

    /// The device that a message went to; `nil` for a number or a server.
    func receiver(of delivery: Delivery) -> Answerer? {
        delivery.device.flatMap { answerer(at: .device($0)) }
    }
}

extension RequestRecords {
    /// Reads everything about a request; `nil` when nothing is known of it.
    package init?(of id: SignInRequest.ID, in repositories: any Repositories) throws {
        let exchange = try repositories.exchanges.find(id)
        let entries = try repositories.audit.entries(about: id, limit: Audit.mostAboutRequest)
        let deliveries = try repositories.deliveries.all(about: id)
        guard exchange != nil || !entries.isEmpty || !deliveries.isEmpty else { return nil }
        var subjects = Set(entries.compactMap(\.facts.subject))
        subjects.formUnion([exchange?.exchange.request.personAsked, exchange?.exchange.decider].compactMap(\.self))
        var signIn = try exchange?.exchange.grant.flatMap { try repositories.signIns.find($0.id) }
        if exchange == nil, entries.contains(where: { $0.facts.act == .signedIn }) {
            for subject in subjects where signIn == nil {
                signIn = try repositories.signIns.all(of: subject).first { $0.request.id == id }
            }
        }
        let request = exchange?.exchange.request ?? signIn?.request
        let named = request?.client.value ?? entries.lazy.compactMap(\.facts.client).first
        let signed = try repositories.signedDecisions.find(id)
        self.init(
            id: id,
            exchange: exchange,
            signIn: signIn,
            entries: entries,
            deliveries: deliveries,
            client: try named.flatMap { try repositories.clients.find($0) },
            domain: try request.flatMap { try Domains(repositories).asked(by: $0) },
            signer: try signed.flatMap { try Self.answerer(by: $0.signIn, in: repositories) },
            answerers: try Self.answerers(in: entries, by: deliveries, in: repositories),
            people: try subjects.reduce(into: [:]) { $0[$1] = try repositories.people.find($1) }
        )
    }

    private static func answerer(by signIn: Grant.ID, in repositories: any Repositories) throws -> Answerer? {
        if let device = try repositories.devices.find(signIn) { return .device(device.shownName ?? device.id.rawValue) }
        guard let client = try repositories.signIns.find(signIn)?.grant.client else { return nil }
        return .app(try name(of: client, in: repositories))
    }

    private static func answerers(
        in entries: [AuditEntry],
        by deliveries: [Delivery],
        in repositories: any Repositories
    ) throws -> [String: Answerer] {
        let noted = entries.compactMap { entry -> ApproverPlace? in
            guard let detail = entry.facts.detail else { return nil }
            if case .approver(let place) = UndoPlace(audited: detail) { return place }
            return ApproverPlace(audited: detail) ?? AuditedNote(detail).app.map { .app($0) }
        }
        return try (noted + deliveries.compactMap(\.device).map { .device($0) }).reduce(into: [:]) { names, place in
            guard names[place.audited] == nil else { return }
            switch place {
            case .device(let id):
                names[place.audited] = .device(try repositories.devices.find(id)?.shownName ?? id.rawValue)
            case .app(let id): names[place.audited] = .app(try name(of: id, in: repositories))
            }
        }
    }

    private static func name(of client: ClientID, in repositories: any Repositories) throws -> String {
        try repositories.clients.find(client)?.name ?? client.rawValue
    }
}
