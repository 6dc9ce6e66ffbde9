/// The dependencies of all endpoints, pages and services: the store, the clock, keys, policy and limits.
///
/// A class, so that a waiting request holds one reference instead of a copy of every member.
final class ServerCore: Sendable {
    /// The base URL of the server, which is also its name in tokens.
    let issuer: Issuer
    let store: CachingStore
    let clock: TimeSource
    let mint: CodeMint
    let keys: KeyRing
    let policy: Policy
    let metrics: ServerMetrics
    /// Whether a gateway for mails is set up, so that pages offer what needs one.
    let sendsMail: Bool
    /// Resolves the network address of a request.
    let addresses: ClientAddressResolver
    /// The limits with counts in the store.
    let limits: StoredRateLimiter
    /// The limits with counts in memory, shared every second.
    let requestLimiter: RequestRateLimiter
    /// The limit of wrong proofs that cannot be guessed.
    let wrongProofs: WrongProofLimiter
    /// The limits of guesses.
    let guesses: GuessLimiter

    init(
        issuer: Issuer,
        store: CachingStore,
        clock: TimeSource,
        random: RandomSource,
        policy: Policy,
        metrics: ServerMetrics,
        sendsMail: Bool,
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
        self.sendsMail = sendsMail
        self.addresses = addresses
        self.limits = limits
        requestLimiter = RequestRateLimiter(limits, sharingIn: store)
        wrongProofs = WrongProofLimiter(store: store, limits: limits)
        guesses = GuessLimiter(store: store, limits: limits)
    }
}
