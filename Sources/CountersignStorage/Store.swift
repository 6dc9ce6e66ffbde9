public import FoundationEssentialsCompat

/// The database of the server.
///
/// A closure either reads, or reads, decides and writes as one step. The repositories exist only inside the closure.
///
/// ```swift
/// let client = try await store.read { try $0.clients.find(ClientID("tv")) }
/// let removed = try await store.change { try $0.people.remove(subject) }
/// ```
public protocol Store: Sendable {
    /// Reads from one consistent state.
    ///
    /// `body` must not write. It may run more than once, on different states, so it must have no side effects; only its
    /// last run counts.
    ///
    /// - Parameter body: The closure that reads.
    /// - Returns: The value that `body` returns.
    /// - Throws: ``StoreUnavailableError`` when the database cannot be used for a while, ``StoreClosedError`` after the
    ///   store was closed, `CancellationError` when the task is cancelled before it asks, or what `body` throws.
    func read<Value: Sendable>(_ body: @escaping @Sendable (any Repositories) throws -> Value) async throws -> Value

    /// Reads as ``read(_:)`` does, with the rows that `body` will look up.
    ///
    /// - Parameters:
    ///   - rows: The rows that `body` will look up, as far as they are known. By default a store makes no use of them.
    ///   - body: The closure that reads.
    /// - Returns: The value that `body` returns.
    /// - Throws: ``StoreUnavailableError`` and whatever else ``read(_:)`` throws.
    func read<Value: Sendable>(
        prefetching rows: [PrefetchedRow], _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value

    /// Looks up a few rows by their keys synchronously, if the store needs no other machine for it.
    ///
    /// A switch of threads costs more than such a look-up. Lists and longer reads use ``read(_:)``.
    ///
    /// - Parameter body: The closure that looks up; it must not write.
    /// - Returns: The value that `body` returns; `nil`, the default, when the store cannot look up synchronously.
    /// - Throws: what ``read(_:)`` throws, except `CancellationError`.
    func lookUp<Value>(_ body: (any Repositories) throws -> Value) throws -> Value?

    /// Makes one atomic change, and returns when it is durable.
    ///
    /// A change that throws is rolled back alone. `body` may run more than once, so it must have no side effects.
    ///
    /// - Parameter body: The closure that reads and writes.
    /// - Returns: The value that `body` returns.
    /// - Throws: ``StoreUnavailableError`` when the change was not made, or when it is unknown whether it was;
    ///   ``StoreClosedError`` after the store was closed, `CancellationError` when the task is cancelled before it
    ///   asks, or what `body` throws.
    func change<Value: Sendable>(_ body: @escaping @Sendable (any Repositories) throws -> Value) async throws -> Value

    /// Makes a change as ``change(_:)`` does, with the rows that `body` will look up.
    ///
    /// - Parameters:
    ///   - rows: The rows that `body` will look up, as far as they are known. By default a store makes no use of them.
    ///   - body: The closure that reads and writes.
    /// - Returns: The value that `body` returns.
    /// - Throws: ``StoreUnavailableError`` and whatever else ``change(_:)`` throws.
    func change<Value: Sendable>(
        prefetching rows: [PrefetchedRow], _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value

    /// Notifies `observer` of changes from now on, in this process and in every other that shares the database.
    ///
    /// A change of this process is announced after it is durable and before its caller is answered, so the caches of
    /// this process are up to date when the caller continues. A change of another process is announced as soon as the
    /// store learns of it, mostly within a fifth of a second. A store that loses its own notification connection sends
    /// ``StoreChange/notificationsLost`` when it notices; that can take some seconds if the network drops packets.
    ///
    /// - Parameter observer: Called in the order of the changes, on a thread of the store. It must be quick, and must
    ///   not use the store.
    func observe(_ observer: @escaping @Sendable ([StoreChange]) -> Void)

    /// The age of the oldest change that is not committed yet; zero when there is none, and by default.
    ///
    /// A change with an unknown outcome counts until its commit has ended.
    var oldestChangeAge: Duration { get }

    /// Whether other processes of the server may use the same database at the same time; `true` by default. Single use
    /// is then recorded in the database instead of the memory of one process.
    var isShared: Bool { get }

    /// Reads the clock of the machine of the database.
    ///
    /// - Returns: The date there; `nil`, the default, when it is this machine.
    /// - Throws: ``StoreUnavailableError`` and whatever else ``read(_:)`` throws.
    func databaseDate() async throws -> Date?
}

extension Store {
    /// `true`; a store of one process returns `false`.
    public var isShared: Bool { true }

    /// Zero.
    public var oldestChangeAge: Duration { .zero }

    /// Reads no clock.
    ///
    /// - Returns: `nil`.
    /// - Throws: nothing; a store on another machine throws ``StoreUnavailableError``.
    public func databaseDate() async throws -> Date? { nil }

    /// Looks nothing up.
    ///
    /// - Parameter body: The closure that looks up.
    /// - Returns: `nil`.
    /// - Throws: nothing; a store that looks up throws ``StoreUnavailableError``.
    public func lookUp<Value>(_ body: (any Repositories) throws -> Value) throws -> Value? { nil }

    /// Reads by ``read(_:)``.
    ///
    /// - Parameters:
    ///   - rows: Not used.
    ///   - body: The closure that reads.
    /// - Returns: The value that `body` returns.
    /// - Throws: ``StoreUnavailableError`` and whatever else ``read(_:)`` throws.
    public func read<Value: Sendable>(
        prefetching rows: [PrefetchedRow], _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try await read(body)
    }

    /// Makes a change by ``change(_:)``.
    ///
    /// - Parameters:
    ///   - rows: Not used.
    ///   - body: The closure that reads and writes.
    /// - Returns: The value that `body` returns.
    /// - Throws: ``StoreUnavailableError`` and whatever else ``change(_:)`` throws.
    public func change<Value: Sendable>(
        prefetching rows: [PrefetchedRow], _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try await change(body)
    }

    /// Looks up a few rows by their keys: at once if the store can, otherwise by ``read(prefetching:_:)``.
    package func find<Value: Sendable>(
        prefetching rows: [PrefetchedRow] = [], _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        if let found = try lookUp(body) { return found }
        return try await read(prefetching: rows, body)
    }
}

/// The repositories of the store, one for each kind of record.
///
/// Inside one closure all see the same state. A look-up returns an optional. Every insertion throws
/// ``StoreError/alreadyExists`` when a key of its record is taken; an update of a record that does not exist does
/// nothing. Instants and texts are returned and compared exactly, except that U+0000, which databases cannot store,
/// becomes U+FFFD.
///
/// Inside the closure, every method throws the errors of the database. The caller of the store gets
/// ``StoreUnavailableError`` when the same request can succeed a little later. Access to a repository throws when the
/// closure runs on a cache that does not have it; the closure is then run again on the store.
public protocol Repositories {
    /// The requests for sign-in, open and decided.
    var exchanges: any SignInExchangeRepository { get throws }
    /// The apps that may ask for sign-in.
    var clients: any ClientRepository { get throws }
    /// The people who have an account.
    var people: any PersonRepository { get throws }
    /// The groups of people.
    var groups: any GroupRepository { get throws }
    /// The claims that operators declared.
    var claimMappings: any ClaimMappingRepository { get throws }
    /// The services of Cross-Platform Authentication.
    var domains: any DomainRepository { get throws }
    /// The browser sessions of people who are signed in.
    var browserSessions: any BrowserSessionRepository { get throws }
    /// The browsers that are registered for push messages.
    var browserPushes: any BrowserPushRepository { get throws }
    /// The screens that were signed in.
    var signIns: any SignInRecordRepository { get throws }
    /// The access tokens that were not revoked.
    var accessTokens: any AccessTokenRepository { get throws }
    /// The refresh tokens, used and unused.
    var refreshTokens: any RefreshTokenRepository { get throws }
    /// The token answers that may be repeated for some seconds.
    var repeatableAnswers: any RepeatableAnswerRepository { get throws }
    /// The consents of people to clients.
    var consents: any ConsentRepository { get throws }
    /// The clients that people muted.
    var mutes: any MuteRepository { get throws }
    /// The screens on which people are remembered.
    var rememberedScreens: any RememberedScreenRepository { get throws }
    /// The authorization requests that clients stored beforehand.
    var pushedRequests: any PushedRequestRepository { get throws }
    /// The tokens that allow the registration of clients.
    var initialAccessTokens: any InitialAccessTokenRepository { get throws }
    /// The notices that clients have not accepted yet.
    var clientNotices: any ClientNoticeRepository { get throws }
    /// The deliveries to phones and to customers' servers.
    var deliveries: any DeliveryRepository { get throws }
    /// The telephone numbers of people.
    var phoneNumbers: any PhoneNumberRepository { get throws }
    /// The states of the devices' verifications of telephone numbers.
    var phoneRegistrations: any PhoneRegistrationRepository { get throws }
    /// The other providers whose identities the server accepts.
    var identityProviders: any IdentityProviderRepository { get throws }
    /// The identities that people have at other providers.
    var identities: any LinkedIdentityRepository { get throws }
    /// The browsers that were sent to other providers.
    var providerVisits: any ProviderVisitRepository { get throws }
    /// The passkeys that sign people in.
    var passkeys: any PasskeyRepository { get throws }
    /// The one-time passwords of people's authenticators.
    var oneTimePasswords: any OneTimePasswordRepository { get throws }
    /// The recovery codes of people.
    var recoveryCodes: any RecoveryCodeRepository { get throws }
    /// The devices that answer requests for people, and their enrolments in sites.
    var devices: any EnrolledDeviceRepository { get throws }
    /// The tickets that enrol devices.
    var enrollmentTickets: any EnrollmentTicketRepository { get throws }
    /// The codes that people type on screens.
    var personCodes: any PersonCodeRepository { get throws }
    /// The links that reset passwords and invite people.
    var actionLinks: any ActionLinkRepository { get throws }
    /// The sites of customers.
    var environments: any CustomerSiteRepository { get throws }
    /// The apps that contain the authenticator.
    var authenticatorApps: any AuthenticatorAppRepository { get throws }
    /// The settings of the server that last started.
    var servedSettings: any ServedSettingRepository { get throws }
    /// The server's own keys.
    var serverKeys: any ServerKeyRepository { get throws }
    /// The counters of limits.
    var counts: any RateCounterRepository { get throws }
    /// The nonces of signed decisions, with the digests of the shown requests.
    var decisionNonces: any DecisionNonceRepository { get throws }
    /// The signed decisions of apps.
    var signedDecisions: any SignedDecisionRepository { get throws }
    /// The audit, a chain of entries.
    var audit: any AuditRepository { get throws }
}

/// A refusal of a working store.
public enum StoreError: Error, Sendable, Equatable {
    /// There is a record with this identifier, name or code already.
    case alreadyExists
    /// A newer version of this program made the tables, and this one cannot use them.
    case newerSchema
}

/// The store was closed before the call.
public struct StoreClosedError: Error, Equatable, CustomStringConvertible {
    /// Creates the error.
    public init() {}

    /// A sentence for the log.
    public var description: String { "The database has been closed." }
}

/// The clock of a database on another machine.
package enum DatabaseClock {
    /// The largest difference from this machine's clock, in seconds. Beyond it a server removes no rows, since other
    /// servers may still need them.
    package static let tolerance: TimeInterval = 30
}
