package import CountersignStorage

/// The repositories of one closure, all on the same connection and in the same transaction.
package struct SQLRepositories: Repositories {
    private let connection: any SQLConnection
    private let change: ChangeCollector?
    private let prefetched: PrefetchedRows?

    /// The repositories of a closure that only reads.
    ///
    /// - Parameter prefetched: Rows that were fetched ahead in the same transaction; none by default.
    package init(reading connection: any SQLConnection, prefetched: PrefetchedRows? = nil) {
        self.connection = connection
        change = nil
        self.prefetched = prefetched
    }

    /// The repositories of a change; `change` collects its changes.
    package init(changing connection: any SQLConnection, noting change: ChangeCollector) {
        self.connection = connection
        self.change = change
        prefetched = change.batch.prefetched
    }

    package var exchanges: any SignInExchangeRepository {
        SQLSignInExchangeRepository(connection: connection, change: change)
    }
    package var clients: any ClientRepository {
        SQLClientRepository(connection: connection, change: change, prefetched: prefetched)
    }
    package var people: any PersonRepository {
        SQLPersonRepository(connection: connection, change: change, prefetched: prefetched)
    }
    package var domains: any DomainRepository { SQLDomainRepository(connection: connection, change: change) }
    package var browserSessions: any BrowserSessionRepository { SQLBrowserSessionRepository(connection: connection) }
    package var signIns: any SignInRecordRepository {
        SQLSignInRecordRepository(connection: connection, prefetched: prefetched)
    }
    package var accessTokens: any AccessTokenRepository {
        SQLAccessTokenRepository(connection: connection, change: change)
    }
    package var refreshTokens: any RefreshTokenRepository {
        SQLRefreshTokenRepository(connection: connection, prefetched: prefetched)
    }
    package var repeatableAnswers: any RepeatableAnswerRepository {
        SQLRepeatableAnswerRepository(connection: connection)
    }
    package var consents: any ConsentRepository { SQLConsentRepository(connection: connection) }
    package var groups: any GroupRepository { SQLGroupRepository(connection: connection, change: change) }
    package var claimMappings: any ClaimMappingRepository {
        SQLClaimMappingRepository(connection: connection, change: change)
    }
    package var browserPushes: any BrowserPushRepository { SQLBrowserPushRepository(connection: connection) }
    package var servedSettings: any ServedSettingRepository { SQLServedSettingRepository(connection: connection) }
    package var mutes: any MuteRepository { SQLMuteRepository(connection: connection) }
    package var rememberedScreens: any RememberedScreenRepository {
        SQLRememberedScreenRepository(connection: connection)
    }
    package var pushedRequests: any PushedRequestRepository { SQLPushedRequestRepository(connection: connection) }
    package var initialAccessTokens: any InitialAccessTokenRepository {
        SQLInitialAccessTokenRepository(connection: connection)
    }
    package var clientNotices: any ClientNoticeRepository { SQLClientNoticeRepository(connection: connection) }
    package var deliveries: any DeliveryRepository { SQLDeliveryRepository(connection: connection) }
    package var phoneNumbers: any PhoneNumberRepository { SQLPhoneNumberRepository(connection: connection) }
    package var phoneRegistrations: any PhoneRegistrationRepository {
        SQLPhoneRegistrationRepository(connection: connection)
    }
    package var identityProviders: any IdentityProviderRepository {
        SQLIdentityProviderRepository(connection: connection)
    }
    package var identities: any LinkedIdentityRepository { SQLLinkedIdentityRepository(connection: connection) }
    package var providerVisits: any ProviderVisitRepository { SQLProviderVisitRepository(connection: connection) }
    package var passkeys: any PasskeyRepository { SQLPasskeyRepository(connection: connection) }
    package var oneTimePasswords: any OneTimePasswordRepository { SQLOneTimePasswordRepository(connection: connection) }
    package var recoveryCodes: any RecoveryCodeRepository { SQLRecoveryCodeRepository(connection: connection) }
    package var devices: any EnrolledDeviceRepository {
        SQLEnrolledDeviceRepository(connection: connection, change: change)
    }
    package var enrollmentTickets: any EnrollmentTicketRepository {
        SQLEnrollmentTicketRepository(connection: connection)
    }
    package var personCodes: any PersonCodeRepository { SQLPersonCodeRepository(connection: connection) }
    package var actionLinks: any ActionLinkRepository { SQLActionLinkRepository(connection: connection) }
    package var environments: any CustomerSiteRepository { SQLCustomerSiteRepository(connection: connection) }
    package var authenticatorApps: any AuthenticatorAppRepository {
        SQLAuthenticatorAppRepository(connection: connection)
    }
    package var serverKeys: any ServerKeyRepository { SQLServerKeyRepository(connection: connection, change: change) }
    package var counts: any RateCounterRepository {
        SQLRateCounterRepository(connection: connection, batch: change?.batch.counts)
    }
    package var decisionNonces: any DecisionNonceRepository { SQLDecisionNonceRepository(connection: connection) }
    package var signedDecisions: any SignedDecisionRepository { SQLSignedDecisionRepository(connection: connection) }
    package var audit: any AuditRepository { SQLAuditRepository(connection: connection) }
}

/// Collects the changes of a transaction, so that the store can notify its observers after the commit.
///
/// It also has what the changes of its transaction share. Used by one thread only.
package final class ChangeCollector {
    package private(set) var collected: [StoreChange] = []
    let batch: BatchCache

    package init(in batch: BatchCache) {
        self.batch = batch
    }

    func add(_ change: StoreChange) { collected.append(change) }
}

/// The cache that the changes of one batched transaction share: counters that are written once, and rows that are read
/// once.
///
/// Used by one thread only.
package final class BatchCache {
    package let counts = BatchRateCounters()
    /// The rows that the changes announced they would look up, and the clients that they looked up.
    package let prefetched = PrefetchedRows()

    package init() {}

    /// Begins another change; what earlier ones counted stays.
    package func beginChange() { counts.beginChange() }

    /// Undoes the counts of the current change, and forgets rows that it may have written.
    package func undoChange() {
        counts.undoChange()
        prefetched.forgetAll()
    }
}
