internal import Countersign
internal import Foundation

/// Rows to be remembered, noted while a closure runs.
final class RowNotes {
    private(set) var rows: [RowMemory.Row] = []

    func note(_ row: RowMemory.Row) { rows.append(row) }
}

/// The repositories of the store itself, with notes of what was found by a look-up, or added by a change.
struct RecordingRepositories: Repositories {
    let base: any Repositories
    /// What was found; `nil` in a change, where rows may have been changed a moment before and be rolled back.
    var found: RowNotes?
    /// What was added.
    var added: RowNotes?

    init(base: any Repositories, found: RowNotes) {
        self.base = base
        self.found = found
    }

    init(base: any Repositories, added: RowNotes) {
        self.base = base
        self.added = added
    }

    var exchanges: any ExchangeRepository { Exchanges(base: base.exchanges, found: found, added: added) }
    var clients: any ClientRepository { found.map { Clients(base: base.clients, found: $0) } ?? base.clients }
    var people: any PersonRepository { found.map { People(base: base.people, found: $0) } ?? base.people }
    var domains: any DomainRepository { found.map { Domains(base: base.domains, found: $0) } ?? base.domains }
    var accessTokens: any AccessTokenRepository {
        found.map { AccessTokens(base: base.accessTokens, found: $0) } ?? base.accessTokens
    }
    var browserSessions: any BrowserSessionRepository { base.browserSessions }
    var signIns: any SignInRecordRepository { base.signIns }
    var refreshTokens: any RefreshTokenRepository { base.refreshTokens }
    var serverKeys: any ServerKeyRepository { base.serverKeys }
    var counts: any CountRepository { base.counts }
    var nearbyLooks: any NearbyLookRepository { base.nearbyLooks }
    var nearbyDecisions: any NearbyDecisionRepository { base.nearbyDecisions }
    var audit: any AuditRepository { base.audit }
}

extension RecordingRepositories {
    /// A request that was added will be polled for soon, so it is noted as well.
    private struct Exchanges: ExchangeRepository {
        let base: any ExchangeRepository
        let found: RowNotes?
        let added: RowNotes?

        func insert(_ exchange: StoredExchange) throws {
            try base.insert(exchange)
            added?.note(.exchange(exchange))
        }

        func find(_ deviceCode: SecretDigest) throws -> StoredExchange? {
            let exchange = try base.find(deviceCode)
            if let exchange { found?.note(.exchange(exchange)) }
            return exchange
        }

        func find(_ userCode: UserCodeDigest) throws -> StoredExchange? { try base.find(userCode) }
        func find(_ id: SignInRequest.ID) throws -> StoredExchange? { try base.find(id) }
        func update(_ exchange: StoredExchange) throws { try base.update(exchange) }
        func approved(by subject: Subject) throws -> [StoredExchange] { try base.approved(by: subject) }
        func waiting(for subject: Subject, at now: Date) throws -> [StoredExchange] {
            try base.waiting(for: subject, at: now)
        }
        func removeAll(of client: ClientID) throws { try base.removeAll(of: client) }
        func sweep(before instant: Date, limit: Int) throws -> Int { try base.sweep(before: instant, limit: limit) }
    }

    private struct Clients: ClientRepository {
        let base: any ClientRepository
        let found: RowNotes

        func find(_ id: ClientID) throws -> Client? {
            let client = try base.find(id)
            if let client { found.note(.client(client)) }
            return client
        }

        func insert(_ client: Client) throws { try base.insert(client) }
        func all() throws -> [Client] { try base.all() }
        func update(_ client: Client) throws { try base.update(client) }
        func remove(_ id: ClientID) throws -> Bool { try base.remove(id) }
        func sweep(before instant: Date, limit: Int) throws -> Int { try base.sweep(before: instant, limit: limit) }
    }

    private struct People: PersonRepository {
        let base: any PersonRepository
        let found: RowNotes

        func find(_ subject: Subject) throws -> Person? {
            let person = try base.find(subject)
            if let person { found.note(.person(person)) }
            return person
        }

        func insert(_ person: Person) throws { try base.insert(person) }
        func find(_ username: Username) throws -> Person? { try base.find(username) }
        func update(_ person: Person) throws { try base.update(person) }
        func all() throws -> [Person] { try base.all() }
        func remove(_ subject: Subject) throws -> Bool { try base.remove(subject) }
    }

    private struct Domains: DomainRepository {
        let base: any DomainRepository
        let found: RowNotes

        func find(_ name: Domain) throws -> ServiceDomain? { noted(try base.find(name)) }
        func find(_ credential: SecretDigest) throws -> ServiceDomain? { noted(try base.find(credential)) }

        private func noted(_ domain: ServiceDomain?) -> ServiceDomain? {
            if let domain { found.note(.domain(domain)) }
            return domain
        }

        func insert(_ domain: ServiceDomain) throws { try base.insert(domain) }
        func all() throws -> [ServiceDomain] { try base.all() }
        func update(_ domain: ServiceDomain) throws { try base.update(domain) }
        func remove(_ name: Domain) throws -> Bool { try base.remove(name) }
    }

    private struct AccessTokens: AccessTokenRepository {
        let base: any AccessTokenRepository
        let found: RowNotes

        func find(_ token: SecretDigest) throws -> AccessTokenRecord? {
            let record = try base.find(token)
            if let record { found.note(.accessToken(record)) }
            return record
        }

        func insert(_ token: AccessTokenRecord) throws { try base.insert(token) }
        func remove(_ token: SecretDigest) throws { try base.remove(token) }
        func removeAll(of grant: Grant.ID) throws { try base.removeAll(of: grant) }
        func removeAll(of client: ClientID, limit: Int) throws -> Int { try base.removeAll(of: client, limit: limit) }
        func removeAll(of client: ClientID, for audience: String) throws {
            try base.removeAll(of: client, for: audience)
        }
        func sweep(before instant: Date, limit: Int) throws -> Int { try base.sweep(before: instant, limit: limit) }
    }
}
