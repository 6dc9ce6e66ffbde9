import Countersign
import CountersignServer
import FoundationEssentialsCompat

/// A store that breaks one promise of the server, as a server without one of its checks would.
struct FaultyStore: Store {
    let base: any Store
    let fault: StoreFault

    init(_ base: any Store, _ fault: StoreFault) {
        self.base = base
        self.fault = fault
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try await base.read { try body(FaultyRepositories(base: $0, fault: fault)) }
    }

    func change<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try await base.change { try body(FaultyRepositories(base: $0, fault: fault)) }
    }

    func observe(_ observer: @escaping @Sendable ([StoreChange]) -> Void) { base.observe(observer) }
}

private struct FaultyRepositories: Repositories {
    let base: any Repositories
    let fault: StoreFault

    var exchanges: any SignInExchangeRepository {
        get throws { FaultyExchanges(base: try base.exchanges, fault: fault) }
    }
    var people: any PersonRepository {
        get throws { fault == .forgetsLocks ? ForgivingPeople(base: try base.people) : try base.people }
    }
    var signIns: any SignInRecordRepository {
        get throws {
            switch fault {
            case .confusesPeople: ConfusedSignIns(base: try base.signIns, changed: \.ofAnotherPerson)
            case .forgetsEnds: ConfusedSignIns(base: try base.signIns, changed: \.endless)
            default: try base.signIns
            }
        }
    }
    var repeatableAnswers: any RepeatableAnswerRepository {
        get throws {
            fault == .forgetsRedemptions
                ? ForgottenAnswers(base: try base.repeatableAnswers) : try base.repeatableAnswers
        }
    }
    var counts: any RateCounterRepository {
        get throws { fault == .forgetsCounts ? ForgottenCounts(base: try base.counts) : try base.counts }
    }
    var audit: any AuditRepository {
        get throws { fault == .rewritesAudit ? RewrittenAudit(base: try base.audit) : try base.audit }
    }
    var clients: any ClientRepository { get throws { try base.clients } }
    var domains: any DomainRepository { get throws { try base.domains } }
    var browserSessions: any BrowserSessionRepository { get throws { try base.browserSessions } }
    var browserPushes: any BrowserPushRepository { get throws { try base.browserPushes } }
    var accessTokens: any AccessTokenRepository { get throws { try base.accessTokens } }
    var refreshTokens: any RefreshTokenRepository { get throws { try base.refreshTokens } }
    var consents: any ConsentRepository { get throws { try base.consents } }
    var groups: any GroupRepository { get throws { try base.groups } }
    var claimMappings: any ClaimMappingRepository { get throws { try base.claimMappings } }
    var mutes: any MuteRepository { get throws { try base.mutes } }
    var rememberedScreens: any RememberedScreenRepository { get throws { try base.rememberedScreens } }
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
    var servedSettings: any ServedSettingRepository { get throws { try base.servedSettings } }
    var oneTimePasswords: any OneTimePasswordRepository { get throws { try base.oneTimePasswords } }
    var recoveryCodes: any RecoveryCodeRepository { get throws { try base.recoveryCodes } }
    var devices: any EnrolledDeviceRepository { get throws { try base.devices } }
    var enrollmentTickets: any EnrollmentTicketRepository { get throws { try base.enrollmentTickets } }
    var actionLinks: any ActionLinkRepository { get throws { try base.actionLinks } }
    var environments: any CustomerSiteRepository { get throws { try base.environments } }
    var authenticatorApps: any AuthenticatorAppRepository { get throws { try base.authenticatorApps } }
    var serverKeys: any ServerKeyRepository { get throws { try base.serverKeys } }
    var decisionNonces: any DecisionNonceRepository { get throws { try base.decisionNonces } }
    var signedDecisions: any SignedDecisionRepository { get throws { try base.signedDecisions } }
    var personCodes: any PersonCodeRepository { get throws { try base.personCodes } }
}
