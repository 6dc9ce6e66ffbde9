public import Countersign
public import CountersignWire

/// Signs a screen in with a code that a person approves on another.
///
/// ```swift
/// let signIn = SignIn(at: issuer, as: ClientID("kitchen-radio"), for: scope, deviceName: "Kitchen radio")
/// Task { for await event in signIn.events { screen.show(event) } }
/// let signedIn = try await signIn.run { identity in
///     await screen.ask("Continue as \(identity.displayName)?") ? .continue : .notMe
/// }
/// ```
///
/// It knows only the issuer and the client id, and finds the rest by itself. Cancelling the task stops it at once,
/// whatever it waits for.
/// Standard: RFC 8628, RFC 8414; OpenID Connect Core 1.0 §3.1.3.7 with scope `openid`.
public struct SignIn: Sendable {
    /// What the person at the screen says to "Continue as …?".
    public enum Confirmation: Sendable, Hashable {
        /// That is me.
        case `continue`
        /// Somebody else was signed in: everything is to be given back.
        case notMe
    }

    /// Asks the person at the screen whether it is they who were signed in.
    public typealias Confirm = @Sendable (VerifiedIdentity) async -> Confirmation

    let issuer: Issuer
    let client: ClientIdentity
    let scope: Scope
    let deviceName: String?
    let transport: any HTTPTransport
    let store: (any TokenStore)?
    let options: SignInOptions
    let nearby: NearbySignIn?
    let clock: TimeSource
    let announcer = SignInAnnouncer()

    /// Prepares a sign-in; nothing is sent before ``run(confirming:)``.
    ///
    /// - Parameters:
    ///   - issuer: The server.
    ///   - client: The name by which the server knows this app.
    ///   - secret: The app's secret, if it is one that can keep it.
    ///   - scope: What is asked; with `openid` the person is asked to confirm who they are.
    ///   - deviceName: What the screen calls itself, shown to the person who approves.
    ///   - transport: The network.
    ///   - store: Where the tokens are kept before ``run(confirming:)`` returns.
    ///   - options: Where there is a choice.
    ///   - nearby: What ties it to phones nearby, where they may approve it too.
    ///   - clock: The time.
    public init(
        at issuer: Issuer,
        as client: ClientID,
        secret: ClientSecret? = nil,
        for scope: Scope,
        deviceName: String? = nil,
        over transport: any HTTPTransport,
        keepingTokensIn store: (any TokenStore)? = nil,
        options: SignInOptions = SignInOptions(),
        nearby: NearbySignIn? = nil,
        clock: TimeSource
    ) {
        self.issuer = issuer
        self.client = ClientIdentity(id: client, secret: secret)
        self.scope = scope
        self.deviceName = deviceName
        self.transport = transport
        self.store = store
        self.options = options
        self.nearby = nearby
        self.clock = clock
    }

    /// What happens, for a screen to show: what stands now, then each change, until the run that is under way, or the
    /// next one, ends.
    public var events: SignInEvents { announcer.watch() }

    /// Signs in: finds the server, asks for a code, waits for the person, and verifies who it is.
    ///
    /// With scope `openid`, `confirm` is called with the person whom the server names, before the tokens are stored or
    /// used; if it is not they, the tokens are given back to the server. Without it, `confirm` is not called.
    ///
    /// - Throws: ``SignInError``, also when the task is cancelled. Tokens that arrived and are not returned are given
    ///   back to the server.
    public func run(confirming confirm: @escaping Confirm) async throws(SignInError) -> SignedIn {
        defer { announcer.finish() }
        do {
            let signedIn = try await self.signedIn(confirming: confirm)
            announcer.announce(.signedIn(signedIn.identity))
            return signedIn
        } catch {
            let failure =
                Task.isCancelled && error.code != .cancelled
                ? SignInError(.cancelled, because: "the task was cancelled; \(error)") : error
            announcer.announce(.failed(failure))
            throw failure
        }
    }

    private func signedIn(confirming confirm: @escaping Confirm) async throws(SignInError) -> SignedIn {
        announcer.announce(.discovering)
        try await openStore()
        let discovery = Discovery(issuer: issuer, transport: transport, options: options, needsKeys: asksIdentity)
        let server = try await persistence.attempt { () async throws(StepFailure) in try await discovery.server() }
        let conversation = ServerConversation(server: server, client: client, transport: transport, options: options)
        let response = try await tokens(through: conversation)
        do throws(SignInError) {
            return try await accept(response, from: conversation, confirming: confirm)
        } catch {
            // From here on every way out without a sign-in gives the tokens back.
            let returned = await conversation.giveBack(response)
            throw returned ? error : SignInError(error.code, because: "\(error.reason); the tokens were not revoked")
        }
    }

    /// Turns the tokens that came into a sign-in, if the person is who they should be.
    private func accept(
        _ response: TokenResponse,
        from conversation: ServerConversation,
        confirming confirm: @escaping Confirm
    ) async throws(SignInError) -> SignedIn {
        var identity: VerifiedIdentity?
        if asksIdentity {
            let verified = try await verifiedIdentity(in: response, from: conversation)
            announcer.announce(.confirming(verified))
            switch try await Interruptible.value({ await confirm(verified) }) {
            case .continue: identity = verified
            case .notMe: throw SignInError(.notMe, because: "the person at the screen said so")
            }
        }
        let signedIn = SignedIn(response, asked: scope, identity: identity, at: clock.now())
        guard !Task.isCancelled else { throw SignInError(.cancelled, because: "the task was cancelled") }
        try await keep(signedIn)
        return signedIn
    }

    /// Finds out whether tokens could be kept, before anybody is bothered.
    private func openStore() async throws(SignInError) {
        do throws(TokenStoreError) {
            _ = try await store?.keys()
        } catch {
            throw SignInError(storing: error)
        }
    }

    /// Keeps the sign-in in place of an older one, once nobody is renewing that any more.
    private func keep(_ signedIn: SignedIn) async throws(SignInError) {
        guard let store else { return }
        let key = TokenStoreKey.signIn(at: issuer, as: client.id)
        do {
            try await store.exclusively(for: key) { try await store.save(signedIn, for: key) }
        } catch {
            throw SignInError(storing: error)
        }
    }

    private func verifiedIdentity(
        in response: TokenResponse,
        from conversation: ServerConversation
    ) async throws(SignInError) -> VerifiedIdentity {
        guard let token = response.idToken else {
            throw SignInError(.identityMissing, because: "openid was asked, and no ID token came")
        }
        let keys = try await persistence.attempt { () async throws(StepFailure) in try await conversation.keySet() }
        let verifier = IDTokenVerifier(issuer: conversation.server.issuer, client: client.id, keys: keys)
        return try verifier.verify(token, at: clock.now())
    }

    private var asksIdentity: Bool { scope.contains(.openid) }

    var persistence: Persistence {
        let announcer = announcer
        return Persistence(limit: options.attempts, clock: clock) { announcer.announce($0) }
    }
}
