internal import Countersign

/// Rows of the store as they were last read or added, each until the store tells that it changed.
///
/// Nothing that is missing from the store is remembered, so whatever comes is seen at once.
struct RowMemory: Sendable {
    /// How many rows of each kind are kept at least while they are in use; at most twice as many.
    struct Sizes: Sendable {
        /// Half a kilobyte each.
        var clients = 5_000
        /// Half a kilobyte each.
        var people = 20_000
        /// Half a kilobyte each.
        var domains = 2_000
        /// Two thirds of a kilobyte each.
        var accessTokens = 25_000
        /// A kilobyte each.
        var exchanges = 100_000
        /// How many forgettings are known.
        var forgettings = 20_000
    }

    /// A row that came out of the store, or went into it.
    enum Row: Sendable {
        case client(Client)
        case person(Person)
        case domain(ServiceDomain)
        case accessToken(AccessTokenRecord)
        case exchange(StoredExchange)
    }

    private struct Token: Sendable {
        let record: AccessTokenRecord
        /// What the store told until then is in it.
        let asOf: Moment
    }

    private enum Key: Hashable, Sendable {
        case client(ClientID)
        case person(Subject)
        case domain(Domain)
        case accessToken(SecretDigest)
        case exchange(SecretDigest)
    }

    /// Whose tokens all end at once. They are not looked for: each is asked when it is used.
    private enum Holder: Hashable, Sendable {
        case grant(Grant.ID)
        case client(ClientID)
    }

    typealias Moment = Forgettings<Int>.Moment

    /// How much the store has told.
    private(set) var moment: Moment = 0
    /// Whether the store can tell what changes. While it cannot, nothing may be answered from here.
    private(set) var isTold = true

    private var clients: Generations<ClientID, Client>
    private var people: Generations<Subject, Person>
    private var domains: Generations<Domain, ServiceDomain>
    /// Under which name the domain of a credential was kept last; only the domain itself knows whether it still is.
    private var names: Generations<SecretDigest, Domain>
    private var accessTokens: Generations<SecretDigest, Token>
    private var exchanges: Generations<SecretDigest, StoredExchange>
    private var forgotten: Forgettings<Key>
    private var ended: Forgettings<Holder>

    init(_ sizes: Sizes = Sizes()) {
        clients = Generations(capacity: sizes.clients)
        people = Generations(capacity: sizes.people)
        domains = Generations(capacity: sizes.domains)
        names = Generations(capacity: sizes.domains)
        accessTokens = Generations(capacity: sizes.accessTokens)
        exchanges = Generations(capacity: sizes.exchanges)
        forgotten = Forgettings(capacity: sizes.forgettings)
        ended = Forgettings(capacity: sizes.forgettings)
    }

    /// How many rows are kept.
    var count: Int { clients.count + people.count + domains.count + accessTokens.count + exchanges.count }

    // MARK: Looking up

    mutating func client(_ id: ClientID) -> Client? { clients.use(id) }

    mutating func person(_ subject: Subject) -> Person? { people.use(subject) }

    mutating func domain(_ name: Domain) -> ServiceDomain? { domains.use(name) }

    mutating func domain(_ credential: SecretDigest) -> ServiceDomain? {
        guard let name = names.use(credential), let domain = domains.use(name), domain.credential == credential else {
            return nil
        }
        return domain
    }

    mutating func exchange(_ deviceCode: SecretDigest) -> StoredExchange? { exchanges.use(deviceCode) }

    mutating func accessToken(_ digest: SecretDigest) -> AccessTokenRecord? {
        guard let token = accessTokens.use(digest) else { return nil }
        guard !hasEnded(token.record, since: token.asOf) else {
            accessTokens.remove(digest)
            return nil
        }
        return token.record
    }

    // MARK: Remembering

    /// Keeps a row that was read from a state at `moment` or later, or added after it, unless it changed since.
    mutating func remember(_ row: Row, asOf moment: Moment) {
        guard isTold else { return }
        switch row {
        case .client(let client):
            guard !forgotten.has(.client(client.id), since: moment) else { return }
            clients.put(client, for: client.id)
        case .person(let person):
            guard !forgotten.has(.person(person.subject), since: moment) else { return }
            people.put(person, for: person.subject)
        case .domain(let domain):
            guard !forgotten.has(.domain(domain.name), since: moment) else { return }
            domains.put(domain, for: domain.name)
            names.put(domain.name, for: domain.credential)
        case .accessToken(let record):
            guard !forgotten.has(.accessToken(record.token), since: moment), !hasEnded(record, since: moment) else {
                return
            }
            accessTokens.put(Token(record: record, asOf: moment), for: record.token)
        case .exchange(let stored):
            guard !forgotten.has(.exchange(stored.deviceCode), since: moment) else { return }
            exchanges.put(stored, for: stored.deviceCode)
        }
    }

    private func hasEnded(_ record: AccessTokenRecord, since moment: Moment) -> Bool {
        if ended.has(.client(record.client), since: moment) { return true }
        return record.grant.map { ended.has(.grant($0), since: moment) } ?? false
    }

    // MARK: Forgetting

    /// Takes in what the store tells.
    mutating func hear(_ news: [StoreNews]) {
        moment += 1
        for one in news { hear(one) }
    }

    private mutating func hear(_ news: StoreNews) {
        switch news {
        case .client(let id):
            clients.remove(id)
            forgotten.note(.client(id), at: moment)
        case .person(let subject):
            people.remove(subject)
            forgotten.note(.person(subject), at: moment)
        case .domain(let name):
            domains.remove(name)
            forgotten.note(.domain(name), at: moment)
        case .exchange(_, deviceCode: let digest):
            exchanges.remove(digest)
            forgotten.note(.exchange(digest), at: moment)
        case .accessToken(let digest):
            accessTokens.remove(digest)
            forgotten.note(.accessToken(digest), at: moment)
        case .tokensOfGrant(let grant):
            ended.note(.grant(grant), at: moment)
        case .tokensOfClient(let client):
            ended.note(.client(client), at: moment)
        case .serverKeys:
            break
        case .anything:
            forgetEverything()
            isTold = true
        case .lineLost:
            forgetEverything()
            isTold = false
        }
    }

    private mutating func forgetEverything() {
        clients.removeAll()
        people.removeAll()
        domains.removeAll()
        names.removeAll()
        accessTokens.removeAll()
        exchanges.removeAll()
        forgotten.noteAll(at: moment)
        ended.noteAll(at: moment)
    }
}
