internal import CoreMetrics
internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import Logging

extension FlowServices {
    /// Makes the services of a server that keeps everything in `base`.
    ///
    /// - Parameters:
    ///   - base: The store, which a cache is put in front of.
    ///   - random: The source of randomness for codes, tokens and keys.
    ///   - passwords: The function that hashes passwords.
    ///   - metrics: The counters and timers of the server.
    ///   - logger: The log for limits that are reached and that many share.
    ///   - transport: The network for asking other providers.
    convenience init(
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
            alarms: hasDeviceWebhook ? LimitAlarms() : NoAlarms()
        )
        let core = ServerCore(
            issuer: settings.issuer,
            store: store,
            clock: clock,
            random: random,
            policy: settings.policy,
            metrics: metrics,
            sendsMail: settings.delivery.mailGateway != nil,
            addresses: settings.addresses,
            limits: limits
        )
        let (keys, mint) = (core.keys, core.mint)
        let newDevices = NewDeviceNotices(
            notices: core.notices, hasWebhook: hasDeviceWebhook, addresses: core.addresses)
        let timer = WaitTimer(clock)
        let memory = MemoryShare(room: settings.connections.room)
        let clients = ClientServices(core, bases: settings.bases)
        let accounts = AccountServices(
            core,
            passwords: passwords,
            passkeys: PasskeyService(
                store: store,
                keys: keys,
                mint: mint,
                clock: clock,
                party: PasskeyService.party(of: settings.issuer, apps: settings.passkeyApps),
                siteName: settings.brand.name,
                notices: core.notices
            ),
            oneTimePasswords: OneTimePasswordService(
                store: store, keys: keys, random: random, clock: clock, issuer: settings.issuer,
                notices: core.notices),
            newDevices: newDevices,
            phoneNumbers: PhoneNumberService(
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
            sessionLifetime: settings.browserSessionLifetime,
            webPush: settings.delivery.webPush
        )
        let signIns = SignInServices(core) { client in
            logger.warning(
                "a person reports a request that they did not start",
                metadata: ["client": "\(client)"]
            )
        }
        let tokens = TokenServices(
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
        self.init(
            core: core,
            clients: clients,
            accounts: accounts,
            signIns: signIns,
            tokens: tokens,
            providers: ProviderServices(core, calling: transport, random: random),
            memory: memory,
            timer: timer
        )
        store.observe(tokens.waits.storeChanged)
    }
}

extension ServerSettings {
    /// The addresses of clients behind the proxies of the operator.
    var addresses: ClientAddressResolver {
        ClientAddressResolver(issuer: issuer, trustedProxies: trustedProxies, hasOwnTLS: certificate != nil)
    }
}
