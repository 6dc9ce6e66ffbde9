internal import CoreMetrics
internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import Logging

/// The dependencies shared by a server's endpoints, grant types and pages: its settings, store, keys, limits and the
/// like.
///
/// It is a class so that each request that waits holds one reference instead of a copy of every member.
final class ServerServices: Sendable {
    let settings: ServerSettings
    let store: CachingStore
    let clock: TimeSource
    let mint: CodeMint
    let keys: KeyRing
    let passwords: PasswordHasher
    let policy: Policy
    let metrics: ServerMetrics
    /// Finds out the network address that a request comes from.
    let addresses: ClientAddressResolver
    /// The limits that are counted in the store, one by one.
    let limits: StoredRateLimiter
    /// The limits that are counted in memory and shared every second.
    let requestLimiter: RequestRateLimiter
    /// The limit of what is wrong and cannot be guessed.
    let wrongProofs: WrongProofLimiter
    /// The limits of what can be guessed.
    let guesses: GuessLimiter
    /// Authenticates clients.
    let clients: ClientAuthentication
    /// Authenticates apps that approve nearby requests.
    let approvers: ApproverAuthentication
    /// Authenticates the servers of customers.
    let environments: EnvironmentAuthentication
    /// Authenticates devices of the older dialect.
    let legacyDevices: LegacyDeviceAuthentication
    /// Those who wait for decisions about requests of environments.
    let watchers: ChangeWaiters<SignInRequest.ID>
    /// Starts requests for sign-in.
    let starts: SignInStartService
    /// Takes and decides requests for sign-in.
    let approvals: ApprovalService
    /// Reads requests over the back channel.
    let backchannelRequests: BackchannelRequests
    /// Stores clients that register themselves.
    let registrations: SelfRegistration
    /// Issues tokens.
    let tokens: TokenIssuer
    /// The web pages that may call the endpoints of OAuth clients.
    let browserClients: CrossOriginAccess
    /// Verifies proofs of possession.
    let proofs: DPoPVerifier
    /// Keeps what is known of other providers.
    let directory: ProviderDirectory
    /// Asks other providers.
    let providers: OpenIDProviderClient
    /// Connects people with their identities at other providers.
    let links: IdentityLinks
    /// Registers passkeys, and verifies what they sign.
    let passkeys: PasskeyService
    /// Sets up one-time passwords, and verifies them.
    let oneTimePasswords: OneTimePasswordService
    /// Lets the operator's webhook know of each new device.
    let newDevices: NewDeviceNotices
    /// Proves the telephone numbers of devices.
    let phoneNumbers: TelephoneNumberService
    /// Verifies tokens of other providers that clients exchange.
    let subjectTokens: SubjectTokenVerifier
    /// The times when requests were last polled, at whatever listener.
    let polls = PollTimes()
    /// The memory for connections and requests, on every listener for clients.
    let memory: MemoryShare
    /// The token requests that are held open.
    let waits: ChangeWaiters<SignInRequest.ID>
    /// The requests of enrolled devices that are held open.
    let inboxes: ChangeWaiters<Subject>
    /// Notes the first use of access tokens that a code gave.
    let firstUses: FirstUses

    /// The base URL of the server, which is also its name in tokens.
    var issuer: Issuer { settings.issuer }

    /// The memory that a new connection of a client takes.
    func connectionMemory(isEncrypted: Bool) -> ConnectionMemory {
        ConnectionMemory(in: memory, resolving: addresses, isEncrypted: isEncrypted)
    }

    /// Makes the parts of a server that keeps everything in `base`.
    ///
    /// - Parameters:
    ///   - base: The store, which a cache is put in front of.
    ///   - random: The source of randomness for codes, tokens and keys.
    ///   - passwords: The function that hashes passwords.
    ///   - metrics: The counters and timers of the server.
    ///   - logger: The log for limits that are reached and that many share.
    ///   - transport: The network for asking other providers.
    init(
        _ settings: ServerSettings,
        keeping base: any Store,
        clock: TimeSource,
        random: RandomSource,
        passwords: PasswordHasher,
        metrics: ServerMetrics,
        logger: Logger,
        calling transport: any HTTPTransport
    ) {
        let store = CachingStore(base)
        let mint = CodeMint(drawingFrom: random, clock: clock)
        let keys = KeyRing(store: store, mint: mint, clock: clock)
        let policy = Policy(
            nearbyScope: settings.nearbyScope,
            passwordScope: settings.passwordScope,
            secondFactorScope: settings.secondFactorScope,
            userVerifiedScope: settings.userVerifiedScope,
            userVerifyingApps: settings.userVerifyingApps,
            recentScope: settings.recentScope,
            deliberateScope: settings.deliberateScope
        )
        let addresses = ClientAddressResolver(
            issuer: settings.issuer,
            trustedProxies: settings.trustedProxies,
            hasOwnTLS: settings.certificate != nil
        )
        let limits = StoredRateLimiter(
            limits: settings.limits,
            clock: clock,
            reached: metrics.limitHit,
            flooded: { rule in
                metrics.limitFlooded(rule)
                logger.warning(
                    "a limit for everybody together is reached",
                    metadata: ["limit": "\(rule.rawValue)"]
                )
            },
            alarms: LimitAlarms(isOn: settings.delivery.deviceWebhook != nil)
        )
        self.settings = settings
        self.store = store
        self.clock = clock
        self.mint = mint
        self.keys = keys
        self.passwords = passwords
        self.policy = policy
        self.metrics = metrics
        self.addresses = addresses
        self.limits = limits
        requestLimiter = RequestRateLimiter(limits, sharingIn: store)
        let wrongProofs = WrongProofLimiter(store: store, limits: limits)
        self.wrongProofs = wrongProofs
        guesses = GuessLimiter(store: store, limits: limits)
        clients = ClientAuthentication(
            store: store,
            wrongProofs: wrongProofs,
            clock: clock,
            addresses: addresses,
            assertions: ClientAssertions(issuer: settings.issuer, bases: settings.bases, store: store, clock: clock)
        )
        environments = EnvironmentAuthentication(store: store, keys: keys, wrongProofs: wrongProofs, clock: clock)
        legacyDevices = LegacyDeviceAuthentication(store: store, keys: keys, wrongProofs: wrongProofs, clock: clock)
        let timer = WaitTimer(clock)
        memory = MemoryShare(room: settings.connections.room)
        watchers = ChangeWaiters(in: memory, mostOfOne: 8, timer: timer)
        firstUses = FirstUses(store: store, clock: clock)
        approvers = ApproverAuthentication(keys: keys, policy: policy, clock: clock, firstUses: firstUses)
        approvals = ApprovalService(
            store: store,
            keys: keys,
            mint: mint,
            policy: policy,
            clock: clock,
            metrics: metrics,
            addresses: addresses,
            budget: MessageBudget(limits: limits),
            reported: { client in
                logger.warning(
                    "a person reports a request that they did not start",
                    metadata: ["client": "\(client)"]
                )
            }
        )
        starts = SignInStartService(
            store: store,
            keys: keys,
            mint: mint,
            policy: policy,
            limits: limits,
            approvals: approvals
        )
        backchannelRequests = BackchannelRequests(issuer: settings.issuer, store: store, clock: clock)
        registrations = SelfRegistration(store: store, mint: mint, limits: limits, clock: clock)
        tokens = TokenIssuer(issuer: settings.issuer, keys: keys, mint: mint, clock: clock)
        browserClients = CrossOriginAccess(registered: RegisteredOrigins(of: store, clock: clock))
        proofs = DPoPVerifier(
            at: settings.bases,
            store: store,
            keys: keys,
            clock: clock,
            requiresNonce: settings.requiresDPoPNonce
        )
        directory = ProviderDirectory(over: transport, clock: clock)
        providers = OpenIDProviderClient(
            directory: directory,
            transport: transport,
            issuer: settings.issuer,
            mint: mint,
            clock: clock
        )
        subjectTokens = SubjectTokenVerifier(
            store: store,
            providers: providers,
            keys: keys,
            transport: transport,
            clock: clock,
            random: random
        )
        links = IdentityLinks(store: store, mint: mint, limits: limits, clock: clock)
        passkeys = PasskeyService(
            store: store,
            keys: keys,
            mint: mint,
            clock: clock,
            party: PasskeyService.party(of: settings.issuer, apps: settings.passkeyApps),
            siteName: settings.brand.name
        )
        oneTimePasswords = OneTimePasswordService(
            store: store,
            keys: keys,
            random: random,
            clock: clock,
            issuer: settings.issuer
        )
        newDevices = NewDeviceNotices(mint: mint, isOn: settings.delivery.deviceWebhook != nil)
        phoneNumbers = TelephoneNumberService(
            store: store,
            keys: keys,
            random: random,
            mint: mint,
            clock: clock,
            settings: settings.phoneNumbers,
            issuer: settings.issuer,
            language: settings.language,
            limits: limits,
            newDevices: newDevices
        )
        waits = ChangeWaiters(
            in: memory, mostOfOne: 1, timer: timer, counting: metrics.waiting)
        store.observe(waits.storeChanged)
        inboxes = ChangeWaiters(
            in: memory, mostOfOne: .max, timer: timer, counting: metrics.inboxesWaiting)
        store.observe(inboxes.storeChanged)
        store.observe(watchers.storeChanged)
    }
}
