internal import Countersign
internal import CountersignWire
internal import Foundation

// What no repository remembers, however it is asked.

extension ExchangeRepository where Self: Forgetful {
    func insert(_ exchange: StoredExchange) throws { try pass() }
    func find(_ userCode: UserCodeDigest) throws -> StoredExchange? { try pass() }
    func find(_ id: SignInRequest.ID) throws -> StoredExchange? { try pass() }
    func update(_ exchange: StoredExchange) throws { try pass() }
    func approved(by subject: Subject) throws -> [StoredExchange] { try pass() }
    func waiting(for subject: Subject, at now: Date) throws -> [StoredExchange] { try pass() }
    func removeAll(of client: ClientID) throws { try pass() }
    func sweep(before instant: Date, limit: Int) throws -> Int { try pass() }
}

extension ClientRepository where Self: Forgetful {
    func insert(_ client: Client) throws { try pass() }
    func all() throws -> [Client] { try pass() }
    func update(_ client: Client) throws { try pass() }
    func remove(_ id: ClientID) throws -> Bool { try pass() }
    func sweep(before instant: Date, limit: Int) throws -> Int { try pass() }
}

extension PersonRepository where Self: Forgetful {
    func insert(_ person: Person) throws { try pass() }
    func find(_ username: Username) throws -> Person? { try pass() }
    func update(_ person: Person) throws { try pass() }
    func all() throws -> [Person] { try pass() }
    func remove(_ subject: Subject) throws -> Bool { try pass() }
}

extension DomainRepository where Self: Forgetful {
    func insert(_ domain: ServiceDomain) throws { try pass() }
    func all() throws -> [ServiceDomain] { try pass() }
    func update(_ domain: ServiceDomain) throws { try pass() }
    func remove(_ name: Domain) throws -> Bool { try pass() }
}

extension AccessTokenRepository where Self: Forgetful {
    func insert(_ token: AccessTokenRecord) throws { try pass() }
    func remove(_ token: SecretDigest) throws { try pass() }
    func removeAll(of grant: Grant.ID) throws { try pass() }
    func removeAll(of client: ClientID, limit: Int) throws -> Int { try pass() }
    func removeAll(of client: ClientID, for audience: String) throws { try pass() }
    func sweep(before instant: Date, limit: Int) throws -> Int { try pass() }
}

extension BrowserSessionRepository where Self: Forgetful {
    func insert(_ session: BrowserSession) throws { try pass() }
    func find(_ cookie: SecretDigest) throws -> BrowserSession? { try pass() }
    func remove(_ cookie: SecretDigest) throws { try pass() }
    func removeAll(of subject: Subject) throws { try pass() }
    func sweep(before instant: Date, limit: Int) throws -> Int { try pass() }
}

extension SignInRecordRepository where Self: Forgetful {
    func insert(_ record: SignInRecord) throws { try pass() }
    func find(_ grant: Grant.ID) throws -> SignInRecord? { try pass() }
    func all(of subject: Subject) throws -> [SignInRecord] { try pass() }
    func update(_ record: SignInRecord) throws { try pass() }
    func all(of client: ClientID, limit: Int) throws -> [SignInRecord] { try pass() }
    func find(_ client: ClientID, _ domain: Domain) throws -> SignInRecord? { try pass() }
    func all(of domain: Domain, limit: Int) throws -> [SignInRecord] { try pass() }
    func sweep(before instant: Date, limit: Int) throws -> Int { try pass() }
}

extension RefreshTokenRepository where Self: Forgetful {
    func insert(_ token: RefreshTokenRecord) throws { try pass() }
    func find(_ token: SecretDigest) throws -> RefreshTokenRecord? { try pass() }
    func update(_ token: RefreshTokenRecord) throws { try pass() }
    func removeAll(of grant: Grant.ID) throws { try pass() }
    func forgetAnswers(before instant: Date, limit: Int) throws -> Int { try pass() }
    func sweep(before instant: Date, limit: Int) throws -> Int { try pass() }
}

extension ServerKeyRepository where Self: Forgetful {
    func insert(_ key: ServerKey) throws { try pass() }
    func all() throws -> [ServerKey] { try pass() }
    func update(_ key: ServerKey) throws { try pass() }
    func remove(_ id: JSONWebKey.ID) throws { try pass() }
}

extension CountRepository where Self: Forgetful {
    func find(_ key: CountKey) throws -> Count? { try pass() }
    func add(_ times: Int, to key: CountKey, lasting span: TimeInterval, at now: Date) throws -> Count { try pass() }
    func sweep(before instant: Date, limit: Int) throws -> Int { try pass() }
}

extension NearbyLookRepository where Self: Forgetful {
    func insert(_ look: NearbyLook) throws { try pass() }
    func find(_ nonce: SecretDigest) throws -> NearbyLook? { try pass() }
    func removeAll(of request: SignInRequest.ID) throws { try pass() }
    func sweep(before instant: Date, limit: Int) throws -> Int { try pass() }
}

extension NearbyDecisionRepository where Self: Forgetful {
    func insert(_ decision: NearbyDecisionRecord) throws { try pass() }
    func find(_ request: SignInRequest.ID) throws -> NearbyDecisionRecord? { try pass() }
    func sweep(before instant: Date, limit: Int) throws -> Int { try pass() }
}

extension AuditRepository where Self: Forgetful {
    func head() throws -> AuditPlace { try pass() }
    func anchor() throws -> AuditPlace { try pass() }
    func append(_ entry: AuditEntry) throws { try pass() }
    func entries(after number: Int, limit: Int) throws -> [AuditEntry] { try pass() }
    func entries(before number: Int, limit: Int) throws -> [AuditEntry] { try pass() }
    func sweep(before instant: Date, limit: Int) throws -> Int { try pass() }
}
