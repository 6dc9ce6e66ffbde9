internal import CoreMetrics
internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import Logging

/// The services of a server, made of its settings: the ground, a group for each room, and those of the ways in.
///
/// It is a class so that each request that waits holds one reference instead of a copy of every member.
final class ServerServices: Sendable {
    let settings: ServerSettings
    let core: ServerCore
    let clients: ClientServices
    let accounts: AccountServices
    let signIns: SignInServices
    let tokens: TokenServices
    let providers: ProviderServices
    /// Authenticates apps that approve nearby requests.
    let approvers: ApproverAuthentication
    /// Authenticates the servers of customers.
    let environments: EnvironmentAuthentication
    /// Authenticates devices of the older dialect.
    let legacyDevices: LegacyDeviceAuthentication
    /// Those who wait for decisions about requests of environments.
    let watchers: ChangeWaiters<SignInRequest.ID>
    /// Reads requests over the back channel.
    let backchannelRequests: BackchannelRequests
    /// The memory for connections and requests, on every listener for clients.
    let memory: MemoryShare
    /// The requests of enrolled devices that are held open.
    let inboxes: ChangeWaiters<Subject>

    // The members of the ground, and of the groups, that most ways in use.
    var issuer: Issuer { core.issuer }
    var store: CachingStore { core.store }
    var clock: TimeSource { core.clock }
    var mint: CodeMint { core.mint }
    var keys: KeyRing { core.keys }
    var policy: Policy { core.policy }
    var metrics: ServerMetrics { core.metrics }
    var addresses: ClientAddressResolver { core.addresses }
    var limits: StoredRateLimiter { core.limits }
    var requestLimiter: RequestRateLimiter { core.requestLimiter }
    var wrongProofs: WrongProofLimiter { core.wrongProofs }
    var guesses: GuessLimiter { core.guesses }
    var starts: SignInStartService { signIns.starts }
    var approvals: ApprovalService { signIns.approvals }
    var proofs: DPoPVerifier { tokens.proofs }

    /// The one that decides token requests.
    func tokenService() -> TokenService {
        TokenService(
            core, clients: clients, accounts: accounts, signIns: signIns, tokens: tokens, providers: providers)
    }

    /// The memory that a new connection of a client takes.
    func connectionMemory(isEncrypted: Bool) -> ConnectionMemory {
        ConnectionMemory(in: memory, resolving: addresses, isEncrypted: isEncrypted)
    }

    /// Makes the services of a server that keeps everything in `base`.
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
        let hasDeviceWebhook = settings.delivery.deviceWebhook != nil
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
            alarms: LimitAlarms(isOn: hasDeviceWebhook)
        )
        let core = ServerCore(
            issuer: settings.issuer,
            store: store,
            clock: clock,
            random: random,
            policy: settings.policy,
            metrics: metrics,
            addresses: ClientAddressResolver(
                issuer: settings.issuer,
                trustedProxies: settings.trustedProxies,
                hasOwnTLS: settings.certificate != nil
            ),
            limits: limits
        )
        let (keys, mint) = (core.keys, core.mint)
        let newDevices = NewDeviceNotices(mint: mint, isOn: hasDeviceWebhook)
        let timer = WaitTimer(clock)
        self.settings = settings
        self.core = core
        memory = MemoryShare(room: settings.connections.room)
        clients = ClientServices(core, bases: settings.bases)
        accounts = AccountServices(
            core,
            passwords: passwords,
            passkeys: PasskeyService(
                store: store,
                keys: keys,
                mint: mint,
                clock: clock,
                party: PasskeyService.party(of: settings.issuer, apps: settings.passkeyApps),
                siteName: settings.brand.name
            ),
            oneTimePasswords: OneTimePasswordService(
                store: store, keys: keys, random: random, clock: clock, issuer: settings.issuer),
            newDevices: newDevices,
            phoneNumbers: TelephoneNumberService(
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
            ),
            sessionLifetime: settings.browserSessionLifetime
        )
        signIns = SignInServices(core) { client in
            logger.warning(
                "a person reports a request that they did not start",
                metadata: ["client": "\(client)"]
            )
        }
        tokens = TokenServices(
            core,
            proofs: DPoPVerifier(
                at: settings.bases,
                store: store,
                keys: keys,
                clock: clock,
                requiresNonce: settings.requiresDPoPNonce
            ),
            waits: ChangeWaiters(in: memory, mostOfOne: 1, timer: timer, counting: metrics.waiting),
            longestWait: settings.longestWait,
            lostAnswerWindow: settings.lostAnswerWindow
        )
        providers = ProviderServices(core, calling: transport, random: random)
        approvers = ApproverAuthentication(
            keys: keys, policy: core.policy, clock: clock, firstUses: tokens.firstUses)
        environments = EnvironmentAuthentication(
            store: store, keys: keys, wrongProofs: core.wrongProofs, clock: clock)
        legacyDevices = LegacyDeviceAuthentication(
            store: store, keys: keys, wrongProofs: core.wrongProofs, clock: clock)
        backchannelRequests = BackchannelRequests(issuer: settings.issuer, store: store, clock: clock)
        watchers = ChangeWaiters(in: memory, mostOfOne: 8, timer: timer)
        inboxes = ChangeWaiters(
            in: memory, mostOfOne: .max, timer: timer, counting: metrics.inboxesWaiting)
        store.observe(tokens.waits.storeChanged)
        store.observe(inboxes.storeChanged)
        store.observe(watchers.storeChanged)
    }
}
