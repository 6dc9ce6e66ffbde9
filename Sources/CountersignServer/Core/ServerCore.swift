internal import Countersign
internal import CountersignWire

/// The ground that every endpoint, page and service stands on: the store, the time, keys, policy and limits.
///
/// It is a class so that each request that waits holds one reference instead of a copy of every member.
final class ServerCore: Sendable {
    /// The base URL of the server, which is also its name in tokens.
    let issuer: Issuer
    let store: CachingStore
    let clock: TimeSource
    let mint: CodeMint
    let keys: KeyRing
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

    init(
        issuer: Issuer,
        store: CachingStore,
        clock: TimeSource,
        random: RandomSource,
        policy: Policy,
        metrics: ServerMetrics,
        addresses: ClientAddressResolver,
        limits: StoredRateLimiter
    ) {
        self.issuer = issuer
        self.store = store
        self.clock = clock
        mint = CodeMint(drawingFrom: random, clock: clock)
        keys = KeyRing(store: store, mint: mint, clock: clock)
        self.policy = policy
        self.metrics = metrics
        self.addresses = addresses
        self.limits = limits
        requestLimiter = RequestRateLimiter(limits, sharingIn: store)
        wrongProofs = WrongProofLimiter(store: store, limits: limits)
        guesses = GuessLimiter(store: store, limits: limits)
    }
}
