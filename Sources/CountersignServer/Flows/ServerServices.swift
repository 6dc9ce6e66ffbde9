internal import Countersign
internal import CountersignWire

/// The services of a server: the ground, a group for each room, and those of the ways in.
///
/// It is a class so that each request that waits holds one reference instead of a copy of every member.
final class ServerServices: Sendable {
    let core: ServerCore
    let clients: ClientServices
    let accounts: AccountServices
    let signIns: SignInServices
    let tokens: TokenServices
    let providers: ProviderServices
    /// Authenticates apps that approve, wherever they found the request.
    let approvers: ApproverAuthentication
    /// Authenticates the servers of customers.
    let environments: CustomerSiteAuthentication
    /// Authenticates devices of the older dialect.
    let legacyDevices: LegacyDeviceAuthentication
    /// Those who wait for decisions about requests of sites.
    let watchers: ChangeWaiters
    /// Reads requests over the back channel.
    let backchannelRequests: BackchannelRequests
    /// The memory for connections and requests, on every listener for clients.
    let memory: MemoryShare
    /// The requests of enrolled devices that are held open.
    let inboxes: ChangeWaiters

    /// The language of pages and messages when nobody names one that there is.
    let language: PageLanguage
    /// The origins of the pages that may call the endpoints of Cross-Platform Authentication.
    let crossPlatformOrigins: Set<WebOrigin>
    /// Whether devices of the older dialect are served.
    let takesLegacyDevices: Bool
    /// The certificate of the clients' listener; `nil` where a proxy has it.
    let certificate: ServerCertificate?
    /// The pins that apps fetch; `nil` for none.
    let pins: SignedCertificatePins?

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

    init(
        core: ServerCore,
        clients: ClientServices,
        accounts: AccountServices,
        signIns: SignInServices,
        tokens: TokenServices,
        providers: ProviderServices,
        approvers: ApproverAuthentication,
        environments: CustomerSiteAuthentication,
        legacyDevices: LegacyDeviceAuthentication,
        watchers: ChangeWaiters,
        backchannelRequests: BackchannelRequests,
        memory: MemoryShare,
        inboxes: ChangeWaiters,
        language: PageLanguage,
        crossPlatformOrigins: Set<WebOrigin>,
        takesLegacyDevices: Bool,
        certificate: ServerCertificate?,
        pins: SignedCertificatePins?
    ) {
        self.core = core
        self.clients = clients
        self.accounts = accounts
        self.signIns = signIns
        self.tokens = tokens
        self.providers = providers
        self.approvers = approvers
        self.environments = environments
        self.legacyDevices = legacyDevices
        self.watchers = watchers
        self.backchannelRequests = backchannelRequests
        self.memory = memory
        self.inboxes = inboxes
        self.language = language
        self.crossPlatformOrigins = crossPlatformOrigins
        self.takesLegacyDevices = takesLegacyDevices
        self.certificate = certificate
        self.pins = pins
        store.observe(tokens.waits.storeChanged)
        store.observe(inboxes.storeChanged)
        store.observe(watchers.storeChanged)
    }
}
