internal import NIOConcurrencyHelpers
internal import FoundationEssentialsCompat

/// One run of a closure, on the cache alone or on the store.
final class CacheAccess {
    private enum Source {
        case cache(NIOLockedValueBox<RowCache>)
        /// Independent rows come from the cache if it has them.
        case store(any Repositories, NIOLockedValueBox<RowCache>)
        /// Rows are not cached: this change may have written them, and may be rolled back.
        case change(any Repositories)
    }

    private let source: Source
    /// Whether the cache lacked something.
    private(set) var missed = false
    /// The rows to cache afterwards.
    private(set) var rows: [any CachedRow] = []

    init(on cache: NIOLockedValueBox<RowCache>) { source = .cache(cache) }
    init(reading repositories: any Repositories, besides cache: NIOLockedValueBox<RowCache>) {
        source = .store(repositories, cache)
    }
    init(changing repositories: any Repositories) { source = .change(repositories) }

    /// The store's own repositories.
    ///
    /// - Throws: ``NotCachedError`` in a pass on the cache.
    var store: any Repositories {
        get throws {
            switch source {
            case .cache: throw miss()
            case .store(let repositories, _), .change(let repositories): return repositories
            }
        }
    }

    /// A row from the cache or the store.
    func find<Row: CachedRow>(_ key: Row.Key, _ lookUp: (any Repositories) throws -> Row?) throws -> Row? {
        switch source {
        case .cache(let cache):
            guard let row = cache.withLockedValue({ $0.find(key, as: Row.self) }) else { throw miss() }
            return row
        case .store(let repositories, let cache):
            if Row.standsAlone, let row = cache.withLockedValue({ $0.find(key, as: Row.self) }) { return row }
            let row = try lookUp(repositories)
            if let row { rows.append(row) }
            return row
        case .change(let repositories): return try lookUp(repositories)
        }
    }

    /// Notes an added row for the cache.
    func noteAdded(_ row: some CachedRow) { rows.append(row) }

    /// The error for a missing row, which is also noted, since the closure may catch the error.
    private func miss() -> NotCachedError {
        missed = true
        return NotCachedError()
    }
}

/// The row is not in the cache.
struct NotCachedError: Error {}

/// Repositories with some cached look-ups. When they run on the cache alone, all other calls throw ``NotCachedError``.
struct CachedRepositories: Repositories {
    let pass: CacheAccess

    var exchanges: any SignInExchangeRepository { CachedExchanges(pass: pass) }
    var clients: any ClientRepository { CachedClients(pass: pass) }
    var people: any PersonRepository { CachedPeople(pass: pass) }
    var groups: any GroupRepository { CachedGroups(pass: pass) }
    var claimMappings: any ClaimMappingRepository { CachedClaimMappings(pass: pass) }
    var domains: any DomainRepository { CachedDomains(pass: pass) }
    var accessTokens: any AccessTokenRepository { CachedAccessTokens(pass: pass) }
    var browserSessions: any BrowserSessionRepository { get throws { try pass.store.browserSessions } }
    var browserPushes: any BrowserPushRepository { get throws { try pass.store.browserPushes } }
    var signIns: any SignInRecordRepository { get throws { try pass.store.signIns } }
    var refreshTokens: any RefreshTokenRepository { get throws { try pass.store.refreshTokens } }
    var repeatableAnswers: any RepeatableAnswerRepository { get throws { try pass.store.repeatableAnswers } }
    var consents: any ConsentRepository { get throws { try pass.store.consents } }
    var mutes: any MuteRepository { get throws { try pass.store.mutes } }
    var rememberedScreens: any RememberedScreenRepository { get throws { try pass.store.rememberedScreens } }
    var pushedRequests: any PushedRequestRepository { get throws { try pass.store.pushedRequests } }
    var initialAccessTokens: any InitialAccessTokenRepository { get throws { try pass.store.initialAccessTokens } }
    var clientNotices: any ClientNoticeRepository { get throws { try pass.store.clientNotices } }
    var deliveries: any DeliveryRepository { get throws { try pass.store.deliveries } }
    var phoneNumbers: any PhoneNumberRepository { get throws { try pass.store.phoneNumbers } }
    var phoneRegistrations: any PhoneRegistrationRepository { get throws { try pass.store.phoneRegistrations } }
    var identityProviders: any IdentityProviderRepository { get throws { try pass.store.identityProviders } }
    var identities: any LinkedIdentityRepository { get throws { try pass.store.identities } }
    var providerVisits: any ProviderVisitRepository { get throws { try pass.store.providerVisits } }
    var passkeys: any PasskeyRepository { get throws { try pass.store.passkeys } }
    var servedSettings: any ServedSettingRepository { get throws { try pass.store.servedSettings } }
    var oneTimePasswords: any OneTimePasswordRepository { get throws { try pass.store.oneTimePasswords } }
    var recoveryCodes: any RecoveryCodeRepository { get throws { try pass.store.recoveryCodes } }
    var devices: any EnrolledDeviceRepository { get throws { try pass.store.devices } }
    var enrollmentTickets: any EnrollmentTicketRepository { get throws { try pass.store.enrollmentTickets } }
    var personCodes: any PersonCodeRepository { get throws { try pass.store.personCodes } }
    var actionLinks: any ActionLinkRepository { get throws { try pass.store.actionLinks } }
    var environments: any CustomerSiteRepository { get throws { try pass.store.environments } }
    var authenticatorApps: any AuthenticatorAppRepository { get throws { try pass.store.authenticatorApps } }
    var serverKeys: any ServerKeyRepository { get throws { try pass.store.serverKeys } }
    var counts: any RateCounterRepository { get throws { try pass.store.counts } }
    var decisionNonces: any DecisionNonceRepository { get throws { try pass.store.decisionNonces } }
    var signedDecisions: any SignedDecisionRepository { get throws { try pass.store.signedDecisions } }
    var audit: any AuditRepository { get throws { try pass.store.audit } }
}

private struct CachedExchanges: SignInExchangeRepository {
    let pass: CacheAccess
    private var base: any SignInExchangeRepository { get throws { try pass.store.exchanges } }

    func find(_ requestCode: SecretDigest) throws -> SignInExchangeRecord? {
        try pass.find(requestCode) { try $0.exchanges.find(requestCode) }
    }

    /// A new request will be polled soon.
    func insert(_ exchange: SignInExchangeRecord) throws {
        try base.insert(exchange)
        pass.noteAdded(exchange)
    }

    func find(_ userCode: UserCodeDigest) throws -> SignInExchangeRecord? { try base.find(userCode) }
    func find(_ id: SignInRequest.ID) throws -> SignInExchangeRecord? { try base.find(id) }
    func update(_ exchange: SignInExchangeRecord) throws { try base.update(exchange) }
    func approved(by subject: Subject, at now: Date, after last: SignInRequest.ID?) throws -> [SignInExchangeRecord] {
        try base.approved(by: subject, at: now, after: last)
    }
    func waiting(for subject: Subject, at now: Date) throws -> [SignInExchangeRecord] {
        try base.waiting(for: subject, at: now)
    }
    func cancelled(for subject: Subject, at now: Date) throws -> [SignInRequest.ID] {
        try base.cancelled(for: subject, at: now)
    }
    func requests(beginningWith prefix: String, limit: Int) throws -> [SignInRequest.ID] {
        try base.requests(beginningWith: prefix, limit: limit)
    }
    func removeAll(of client: ClientID) throws { try base.removeAll(of: client) }
    func sweep(before instant: Date, limit: Int) throws -> Int { try base.sweep(before: instant, limit: limit) }
}

private struct CachedClients: ClientRepository {
    let pass: CacheAccess
    private var base: any ClientRepository { get throws { try pass.store.clients } }

    func find(_ id: ClientID) throws -> Client? { try pass.find(id) { try $0.clients.find(id) } }

    func insert(_ client: Client) throws { try base.insert(client) }
    func all() throws -> [Client] { try base.all() }
    func page(after last: ClientID?, limit: Int) throws -> [Client] { try base.page(after: last, limit: limit) }
    func update(_ client: Client) throws { try base.update(client) }
    func remove(_ id: ClientID) throws -> Bool { try base.remove(id) }
    func sweep(before instant: Date, limit: Int) throws -> Int { try base.sweep(before: instant, limit: limit) }
}

private struct CachedPeople: PersonRepository {
    let pass: CacheAccess
    private var base: any PersonRepository { get throws { try pass.store.people } }

    func find(_ subject: Subject) throws -> Person? { try pass.find(subject) { try $0.people.find(subject) } }

    func insert(_ person: Person) throws { try base.insert(person) }
    func find(_ username: Username) throws -> Person? { try base.find(username) }
    func all(at address: EmailAddress) throws -> [Person] { try base.all(at: address) }
    func update(_ person: Person) throws { try base.update(person) }
    func page(
        by field: PersonSearchField, beginningWith prefix: String, after last: Person?, limit: Int
    ) throws -> [Person] {
        try base.page(by: field, beginningWith: prefix, after: last, limit: limit)
    }
    func all() throws -> [Person] { try base.all() }
    func leaving(by instant: Date, limit: Int) throws -> [Subject] { try base.leaving(by: instant, limit: limit) }
    func remove(_ subject: Subject) throws -> Bool { try base.remove(subject) }
}

private struct CachedGroups: GroupRepository {
    let pass: CacheAccess
    private var base: any GroupRepository { get throws { try pass.store.groups } }

    func hierarchy() throws -> GroupHierarchy {
        guard let row = try pass.find(.only, { CachedHierarchy(hierarchy: try $0.groups.hierarchy()) }) else {
            return GroupHierarchy([])
        }
        return row.hierarchy
    }

    func all(of subject: Subject) throws -> [GroupName] {
        try pass.find(subject) { CachedMemberships(subject: subject, groups: try $0.groups.all(of: subject)) }?.groups
            ?? []
    }

    func insert(_ group: Group) throws { try base.insert(group) }
    func find(_ name: GroupName) throws -> Group? { try base.find(name) }
    func all() throws -> [Group] { try base.all() }
    func update(_ group: Group) throws { try base.update(group) }
    func remove(_ name: GroupName) throws -> Bool { try base.remove(name) }
    func add(_ subject: Subject, to name: GroupName) throws { try base.add(subject, to: name) }
    func remove(_ subject: Subject, from name: GroupName) throws -> Bool { try base.remove(subject, from: name) }
    func members(of name: GroupName, after last: Subject?, limit: Int) throws -> [Subject] {
        try base.members(of: name, after: last, limit: limit)
    }
    func removeAll(of subject: Subject) throws { try base.removeAll(of: subject) }
}

private struct CachedClaimMappings: ClaimMappingRepository {
    let pass: CacheAccess
    private var base: any ClaimMappingRepository { get throws { try pass.store.claimMappings } }

    func all() throws -> [ClaimMapping] {
        try pass.find(.only) { CachedClaims(mappings: try $0.claimMappings.all()) }?.mappings ?? []
    }

    func insert(_ mapping: ClaimMapping) throws { try base.insert(mapping) }
    func remove(_ claim: ClaimName) throws -> Bool { try base.remove(claim) }
}

private struct CachedDomains: DomainRepository {
    let pass: CacheAccess
    private var base: any DomainRepository { get throws { try pass.store.domains } }

    func find(_ name: Domain) throws -> ServiceDomain? {
        try pass.find(name) { try $0.domains.find(name) }
    }

    func find(_ credential: SecretDigest) throws -> ServiceDomain? {
        var found: ServiceDomain?
        let named = try pass.find(credential) { repositories in
            found = try repositories.domains.find(credential)
            return found.map { CachedDomainName(credential: credential, name: $0.name) }
        }
        guard let named else { return nil }
        let domain = try pass.find(named.name) { _ in found }
        // The cached domain of this name may have another credential by now.
        return domain?.credential == credential ? domain : try base.find(credential)
    }

    func insert(_ domain: ServiceDomain) throws { try base.insert(domain) }
    func all() throws -> [ServiceDomain] { try base.all() }
    func page(after last: Domain?, limit: Int) throws -> [ServiceDomain] { try base.page(after: last, limit: limit) }
    func update(_ domain: ServiceDomain) throws { try base.update(domain) }
    func remove(_ name: Domain) throws -> Bool { try base.remove(name) }
}

private struct CachedAccessTokens: AccessTokenRepository {
    let pass: CacheAccess
    private var base: any AccessTokenRepository { get throws { try pass.store.accessTokens } }

    func find(_ token: SecretDigest) throws -> AccessTokenRecord? {
        try pass.find(token) { try $0.accessTokens.find(token) }
    }

    func insert(_ token: AccessTokenRecord) throws { try base.insert(token) }
    func remove(_ token: SecretDigest) throws { try base.remove(token) }
    func removeAll(of grant: Grant.ID) throws { try base.removeAll(of: grant) }
    func removeAll(of client: ClientID, limit: Int) throws -> Int { try base.removeAll(of: client, limit: limit) }
    func removeAll(of client: ClientID, for audience: String) throws { try base.removeAll(of: client, for: audience) }
    func sweep(before instant: Date, limit: Int) throws -> Int { try base.sweep(before: instant, limit: limit) }
}
