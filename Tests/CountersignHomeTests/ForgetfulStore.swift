import Countersign
import CountersignServer
import FoundationEssentialsCompat

/// A store that lacks the check that matters most: what was denied, or given up, is open again.
struct ForgetfulStore: Store {
    /// The ends of requests that a store forgets.
    enum Forgotten: Sendable {
        case denials, cancellations
    }

    let base: any Store
    let forgotten: Forgotten

    init(_ base: any Store, forgetting forgotten: Forgotten = .denials) {
        self.base = base
        self.forgotten = forgotten
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try await base.read { try body(ForgetfulRepositories(base: $0, forgotten: forgotten)) }
    }

    func change<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try await base.change { try body(ForgetfulRepositories(base: $0, forgotten: forgotten)) }
    }

    func observe(_ observer: @escaping @Sendable ([StoreChange]) -> Void) { base.observe(observer) }
}

private struct ForgetfulExchanges: SignInExchangeRepository {
    let base: any SignInExchangeRepository
    let forgotten: ForgetfulStore.Forgotten

    private func forget(_ found: SignInExchangeRecord?) -> SignInExchangeRecord? {
        guard var record = found else { return nil }
        switch (record.exchange.state, forgotten) {
        case (.denied, .denials), (.cancelled, .cancellations): break
        default: return found
        }
        record.exchange = SignInExchange(request: record.exchange.request)
        return record
    }

    func insert(_ exchange: SignInExchangeRecord) throws { try base.insert(exchange) }
    func find(_ requestCode: SecretDigest) throws -> SignInExchangeRecord? { forget(try base.find(requestCode)) }
    func find(_ userCode: UserCodeDigest) throws -> SignInExchangeRecord? { forget(try base.find(userCode)) }
    func find(_ id: SignInRequest.ID) throws -> SignInExchangeRecord? { forget(try base.find(id)) }
    func update(_ exchange: SignInExchangeRecord) throws { try base.update(exchange) }

    func approved(by subject: Subject, at now: Date, after last: SignInRequest.ID?) throws -> [SignInExchangeRecord] {
        try base.approved(by: subject, at: now, after: last)
    }

    func waiting(for subject: Subject, at now: Date) throws -> [SignInExchangeRecord] {
        try base.waiting(for: subject, at: now)
    }

    func requests(beginningWith text: String, limit: Int) throws -> [SignInRequest.ID] {
        try base.requests(beginningWith: text, limit: limit)
    }

    func removeAll(of client: ClientID) throws { try base.removeAll(of: client) }
    func sweep(before instant: Date, limit: Int) throws -> Int { try base.sweep(before: instant, limit: limit) }
}

private struct ForgetfulRepositories: Repositories {
    let base: any Repositories
    let forgotten: ForgetfulStore.Forgotten

    var exchanges: any SignInExchangeRepository {
        get throws { ForgetfulExchanges(base: try base.exchanges, forgotten: forgotten) }
    }
    var clients: any ClientRepository { get throws { try base.clients } }
    var people: any PersonRepository { get throws { try base.people } }
    var domains: any DomainRepository { get throws { try base.domains } }
    var browserSessions: any BrowserSessionRepository { get throws { try base.browserSessions } }
    var signIns: any SignInRecordRepository { get throws { try base.signIns } }
    var accessTokens: any AccessTokenRepository { get throws { try base.accessTokens } }
    var refreshTokens: any RefreshTokenRepository { get throws { try base.refreshTokens } }
    var repeatableAnswers: any RepeatableAnswerRepository { get throws { try base.repeatableAnswers } }
    var consents: any ConsentRepository { get throws { try base.consents } }
    var mutes: any MuteRepository { get throws { try base.mutes } }
    var pushedRequests: any PushedRequestRepository { get throws { try base.pushedRequests } }
    var initialAccessTokens: any InitialAccessTokenRepository { get throws { try base.initialAccessTokens } }
    var clientNotices: any ClientNoticeRepository { get throws { try base.clientNotices } }
    var deliveries: any DeliveryRepository { get throws { try base.deliveries } }
    var phoneNumbers: any PhoneNumberRepository { get throws { try base.phoneNumbers } }
    var phoneRegistrations: any PhoneRegistrationRepository { get throws { try base.phoneRegistrations } }
    var identityProviders: any IdentityProviderRepository { get throws { try base.identityProviders } }
    var identities: any LinkedIdentityRepository { get throws { try base.identities } }
    var providerVisits: any ProviderVisitRepository { get throws { try base.providerVisits } }
    var passkeys: any PasskeyRepository { get throws { try base.passkeys } }
    var oneTimePasswords: any OneTimePasswordRepository { get throws { try base.oneTimePasswords } }
    var recoveryCodes: any RecoveryCodeRepository { get throws { try base.recoveryCodes } }
    var devices: any EnrolledDeviceRepository { get throws { try base.devices } }
    var enrollmentTickets: any EnrollmentTicketRepository { get throws { try base.enrollmentTickets } }
    var environments: any CustomerSiteRepository { get throws { try base.environments } }
    var authenticatorApps: any AuthenticatorAppRepository { get throws { try base.authenticatorApps } }
    var serverKeys: any ServerKeyRepository { get throws { try base.serverKeys } }
    var counts: any RateCounterRepository { get throws { try base.counts } }
    var decisionNonces: any DecisionNonceRepository { get throws { try base.decisionNonces } }
    var signedDecisions: any SignedDecisionRepository { get throws { try base.signedDecisions } }
    var personCodes: any PersonCodeRepository { get throws { try base.personCodes } }
    var audit: any AuditRepository { get throws { try base.audit } }
}
