public import Countersign
public import CountersignWire

/// Signs in a person whom a backend names, wherever they are: at a help desk, a till, or on the phone.
///
/// ```swift
/// let signIn = BackchannelSignIn(at: issuer, as: ClientID("desk"), secret: secret, for: Scope([.openid]))
/// var asked = BackchannelAuthenticationRequest(for: .login("anna"), scope: signIn.scope)
/// asked.bindingMessage = BindingMessage(parsing: "Ticket 4711")
/// switch try await signIn.outcome(of: try await signIn.start(asked)) {
/// case .signedIn(let signedIn): serve(signedIn.identity)
/// case .denied, .expired: apologise()
/// }
/// ```
///
/// ``outcome(of:)`` waits by requests that the server holds open. A client that is registered for *ping* may keep the
/// ``AwaitedDecision`` instead, and ask when the server has called.
///
/// Standard: OpenID CIBA Core 1.0, the modes *poll* and *ping*; RFC 8414; OpenID Connect Core 1.0 §3.1.3.7.
public struct BackchannelSignIn: Sendable {
    /// The server's address.
    public let issuer: Issuer
    /// The requested scope.
    public let scope: Scope
    private let client: RequesterClient
    private let store: (any TokenStore)?
    private let mint: CodeMint

    /// Prepares sign-ins; nothing is sent before ``start(_:expectingCalls:)``.
    ///
    /// - Parameters:
    ///   - issuer: The server's address; everything else is discovered.
    ///   - client: The backend's client id at the server.
    ///   - secret: The client secret.
    ///   - scope: The requested scope; it needs `openid`.
    ///   - store: The store that stores the tokens before ``outcome(of:)`` returns; `nil`, the default, keeps them
    ///     nowhere.
    ///   - options: Time limits; renewals and bindings are not used.
    ///   - context: The network, the clock and the source of secrets.
    public init(
        at issuer: Issuer,
        as client: ClientID,
        secret: ClientSecret,
        for scope: Scope,
        keepingTokensIn store: (any TokenStore)? = nil,
        options: SignInOptions = SignInOptions(),
        in context: RequesterContext = .system
    ) {
        self.issuer = issuer
        self.client = RequesterClient(at: issuer, as: client, secret: secret, options: options, in: context)
        self.scope = scope
        self.store = store
        mint = CodeMint(drawingFrom: context.random)
    }

    /// Asks the server to let the person decide.
    ///
    /// - Parameters:
    ///   - asked: The person and the scope. Its notification token is replaced when calls are expected.
    ///   - expectsCalls: Whether the server is to call the client's notification endpoint (*ping*); not by default.
    /// - Returns: The request that waits for its decision.
    /// - Throws: ``SignInError``: `client_refused`, `scope_refused` and `refused` by the server, with the reason in
    ///   ``SignInError/providerCode`` (such as `unknown_user_id` or `invalid_binding_message`); `flow_not_offered`;
    ///   others by network, server and store.
    ///
    /// Standard: OpenID CIBA Core 1.0 §7.
    public func start(
        _ asked: BackchannelAuthenticationRequest,
        expectingCalls expectsCalls: Bool = false
    ) async throws(SignInError) -> AwaitedDecision {
        try await store?.requireSaving()
        let conversation = try await conversation(requestID: nil)
        var asked = asked
        asked.service = asked.service ?? client.options.service
        if expectsCalls { asked.notificationToken = mint.secret() }
        let form = asked.form
        // Once only: a request whose answer was lost may be before the person, and a second one would be another
        // prompt.
        let once = Retrier(limit: 1, clock: client.context.clock) { _ in }
        let response = try await once.attempt { () async throws(StepError) in
            try await conversation.asked(form)
        }
        return AwaitedDecision(
            response,
            scope: asked.scope,
            notificationToken: expectsCalls ? asked.notificationToken : nil,
            requestID: mint.secret()
        )
    }

    /// Waits for the decision, verifies who it is, and stores the tokens where there is a store.
    ///
    /// The store has one sign-in for the server and the client: that of the person who approved last. The tokens of
    /// those before stay good, and are the backend's to keep.
    ///
    /// - Parameter awaited: The request that ``start(_:expectingCalls:)`` returned.
    /// - Throws: ``SignInError`` by network, server and store; `cancelled` when the task is cancelled: then the request
    ///   is withdrawn, so that the person is not asked any more. Received tokens that are not returned are revoked.
    ///
    /// Standard: OpenID CIBA Core 1.0 §10.1, §11; RFC 7240 §4.3.
    public func outcome(of awaited: AwaitedDecision) async throws(SignInError) -> BackchannelOutcome {
        let conversation = try await conversation(requestID: awaited.requestID)
        let request = awaited.response.request
        let drive = PollingDrive<TokenResponse>(
            rules: PollingRules(wait: client.options.wait),
            clock: client.context.clock,
            announce: { _ in },
            start: { () async throws(SignInError) in
                PollingDrive.IssuedCode(code: awaited.code(at: conversation.server)) { _ throws(SignInError) in nil }
            },
            ask: { _, wait, _ throws(SignInError) in
                try await conversation.poll(TokenRequest.backchannelAuthentication(request), holding: wait)
            }
        )
        let response: TokenResponse
        do throws(SignInError) {
            response = try await drive.run()
        } catch {
            switch error.code {
            case .denied: return .denied
            case .expired: return .expired
            case .cancelled:
                await conversation.giveUp(request)
                throw error
            default: throw error
            }
        }
        return .signedIn(
            try await conversation.accept(response, for: awaited.scope, identifying: true, keepingTokensIn: store))
    }

    private func conversation(requestID: TokenRequestID?) async throws(SignInError) -> ServerConversation {
        let server = try await client.server(for: .backchannel, needsKeys: true)
        return client.conversation(with: server, requestID: requestID)
    }
}

extension AwaitedDecision {
    /// The request as the polling machine needs it, which polls by a secret whatever that is called.
    ///
    /// The person has it before them, and may decide within the first interval.
    ///
    /// - Parameter server: The server; one that knows requests again holds them, too.
    fileprivate func code(at server: VerifiedServer) -> AwaitedCode {
        AwaitedCode(
            DeviceCode(revealing: response.request.revealed),
            expiresIn: response.expiresIn,
            interval: response.interval ?? BackchannelAuthenticationResponse.standardInterval,
            isAskedAtOnce: isDecided || server.takesRequestIDs
        )
    }
}
