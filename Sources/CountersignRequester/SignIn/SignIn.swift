public import Countersign
internal import CountersignTransport
public import CountersignWire

/// Signs a screen in with a code that a person approves on another device.
///
/// ```swift
/// let signIn = SignIn(at: issuer, as: ClientID("kitchen-radio"), for: scope, deviceName: "Kitchen radio")
/// let events = signIn.events
/// Task { for await event in events { screen.show(event) } }
/// let signedIn = try await signIn.run { identity in
///     await screen.ask("Continue as \(identity.displayName)?") ? .continue : .notMe
/// }
/// ```
///
/// It knows only the issuer and the client id, and discovers the rest. Cancelling the task stops it at once, whatever
/// it waits for.
///
/// A request whose answer with the tokens is lost on the way is repeated, so that the person need not approve twice:
/// Countersign answers it again until the tokens were used, or the code has expired.
///
/// Standard: RFC 8628, RFC 8414; OpenID Connect Core 1.0 §3.1.3.7 with scope `openid`.
public struct SignIn: Sendable {
    /// The answer of the person at the screen to "Continue as …?".
    public enum Confirmation: Sendable, Hashable {
        /// The person is the one who was signed in.
        case `continue`
        /// Another person was signed in: all tokens are revoked.
        case notMe
    }

    /// Asks the person at the screen whether it is they who were signed in; called once, with a verified identity.
    public typealias Confirm = @Sendable (VerifiedIdentity) async -> Confirmation

    let issuer: Issuer
    let client: RequesterClient
    let scope: Scope
    let deviceName: String?
    let store: (any TokenStore)?
    let nearby: NearbySignIn?
    /// Hands the events to all screens that watch.
    let announcer: SignInAnnouncer

    /// Creates a sign-in; nothing is sent before ``run(confirming:)``.
    ///
    /// ```swift
    /// let signIn = SignIn(at: try Issuer("https://id.example.com"), as: ClientID("kitchen-radio"), for: Scope([.openid]))
    /// ```
    ///
    /// - Parameters:
    ///   - issuer: The server's address, such as `https://id.example.com`; everything else is discovered.
    ///   - client: The app's client id at the server.
    ///   - secret: The client secret; `nil` for an app that cannot keep one, as on most screens.
    ///   - scope: The requested scope; with `openid` the person is asked to confirm who they are.
    ///   - deviceName: The name of the screen, shown to the person who approves; cut to what fits a line.
    ///   - store: The store that stores the tokens before ``run(confirming:)`` returns; `nil` keeps them nowhere.
    ///   - options: Lifetimes, limits and renewals; the standard ones suit an ordinary network.
    ///   - nearby: The connection to phones nearby, where they may approve it too; `nil` for none.
    ///   - context: The network, the clock and the source of secrets.
    ///
    /// Standard: RFC 8628 §3.1; RFC 8414 §3.
    public init(
        at issuer: Issuer,
        as client: ClientID,
        secret: ClientSecret? = nil,
        for scope: Scope,
        deviceName: String? = nil,
        keepingTokensIn store: (any TokenStore)? = nil,
        options: SignInOptions = SignInOptions(),
        nearby: NearbySignIn? = nil,
        in context: RequesterContext = .system
    ) {
        let announcer = SignInAnnouncer()
        var client = RequesterClient(at: issuer, as: client, secret: secret, options: options, in: context)
        client.announce = { announcer.announce($0) }
        self.issuer = issuer
        self.client = client
        self.scope = scope
        self.deviceName = deviceName
        self.store = store
        self.nearby = nearby
        self.announcer = announcer
    }

    /// The events for a screen to show: the present state, then each change, until the current or next run ends.
    public var events: SignInEvents { announcer.watch() }

    /// Signs in: finds the server, requests a code, waits for the person, and verifies who it is.
    ///
    /// With scope `openid`, `confirm` is called with the person whom the server names, before the tokens are stored or
    /// used; if the answer is ``Confirmation/notMe``, the tokens are revoked. Without that scope, `confirm` is not
    /// called.
    ///
    /// ```swift
    /// let signedIn = try await signIn.run { identity in
    ///     await screen.ask("Continue as \(identity.displayName)?") ? .continue : .notMe
    /// }
    /// ```
    ///
    /// - Parameter confirm: Asks the person at the screen whether it is they.
    /// - Throws: ``SignInError``: `denied` and `expired` by the person; `not_reachable`, `not_trusted`,
    ///   `server_trouble` by network and server; `not_me`; `cancelled` when the task is cancelled; others for what the
    ///   server refuses and the store cannot do. Received tokens that are not returned are revoked.
    ///
    /// Standard: RFC 8628 §3.3 to §3.5; OpenID Connect Core 1.0 §3.1.3.7.
    public func run(confirming confirm: @escaping Confirm) async throws(SignInError) -> CompletedSignIn {
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

    /// The steps of a sign-in, without the reports to the screen.
    private func signedIn(confirming confirm: @escaping Confirm) async throws(SignInError) -> CompletedSignIn {
        announcer.announce(.discovering)
        try await store?.requireSaving()
        let server = try await client.server(for: .deviceAuthorization, needsKeys: asksIdentity)
        let conversation = client.conversation(
            with: server,
            proving: try client.newKey(at: server),
            requestID: TokenRequestID(drawingFrom: client.context.random)
        )
        let response = try await tokens(through: conversation)
        do throws(SignInError) {
            return try await accept(response, from: conversation, confirming: confirm)
        } catch {
            // Every exit below without a sign-in revokes the tokens.
            let returned = await conversation.giveBack(response)
            throw returned ? error : SignInError(error.code, because: "\(error.reason); the tokens were not revoked")
        }
    }

    /// Turns the tokens into a sign-in, if the person confirms.
    private func accept(
        _ response: TokenResponse,
        from conversation: ServerConversation,
        confirming confirm: @escaping Confirm
    ) async throws(SignInError) -> CompletedSignIn {
        var identity: VerifiedIdentity?
        if asksIdentity {
            let verified = try await conversation.verifiedIdentity(in: response)
            announcer.announce(.confirming(verified))
            switch try await Interruptible.value({ await confirm(verified) }) {
            case .continue: identity = verified
            case .notMe: throw SignInError(.notMe, because: "the person at the screen said so")
            }
        }
        let signedIn = conversation.signedIn(by: response, for: scope, as: identity)
        guard !Task.isCancelled else { throw SignInError.taskCancelled }
        if let store { try await conversation.keep(signedIn, in: store) }
        return signedIn
    }

    /// Whether the scope asks who the person is.
    private var asksIdentity: Bool { scope.contains(.openid) }
}
