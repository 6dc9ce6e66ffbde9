internal import FoundationEssentialsCompat

/// The records about one request for sign-in that are still stored.
package struct RequestRecords: Sendable {
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
    let signer: ApproverPlace?
    /// The names of the devices and apps where people acted, or that messages went to, as far as they have one.
    let placeNames: [ApproverPlace: String]
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
        let signer = try signed.flatMap { try ApproverPlace(of: $0.signIn, in: repositories) }
        let places = [signer] + entries.map { AuditedNote($0.facts.detail).place } + deliveries.map(\.place)
        self.init(
            id: id,
            exchange: exchange,
            signIn: signIn,
            entries: entries,
            deliveries: deliveries,
            client: try named.flatMap { try repositories.clients.find($0) },
            domain: try request.flatMap { try Domains(repositories).asked(by: $0) },
            signer: signer,
            placeNames: try Set(places.compactMap(\.self)).reduce(into: [:]) { $0[$1] = try $1.name(in: repositories) },
            people: try subjects.reduce(into: [:]) { $0[$1] = try repositories.people.find($1) }
        )
    }
}

extension Delivery {
    /// The device that a message goes to; `nil` for a number or a server.
    var place: ApproverPlace? { device.map { .device($0) } }
}
