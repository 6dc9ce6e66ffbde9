internal import Countersign
internal import CountersignWire

/// The services that the ways in share: the core, a group for each room below, and the memory of held requests.
///
/// It is a class so that each request that waits holds one reference instead of a copy of every member. Services of one
/// way in are members of its ``SignInFlow``.
final class FlowServices: Sendable {
    let core: ServerCore
    let clients: ClientServices
    let accounts: AccountServices
    let signIns: SignInServices
    let tokens: TokenServices
    let providers: ProviderServices
    /// The memory for connections and requests, on every listener for clients.
    let memory: MemoryShare
    /// Ends the waits of all held requests.
    let timer: WaitTimer

    // The members of the core and of the groups that most ways in use.
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

    init(
        core: ServerCore,
        clients: ClientServices,
        accounts: AccountServices,
        signIns: SignInServices,
        tokens: TokenServices,
        providers: ProviderServices,
        memory: MemoryShare,
        timer: WaitTimer
    ) {
        self.core = core
        self.clients = clients
        self.accounts = accounts
        self.signIns = signIns
        self.tokens = tokens
        self.providers = providers
        self.memory = memory
        self.timer = timer
    }

    /// The service that decides token requests.
    func tokenService() -> TokenService {
        TokenService(
            core, clients: clients, accounts: accounts, signIns: signIns, tokens: tokens, providers: providers)
    }
}
