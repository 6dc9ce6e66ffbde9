public import Countersign
public import CountersignTransport
public import CountersignWire

/// Signs an app in by the one-use ticket of a QR code that its person made where they are signed in already.
///
/// ```swift
/// guard case .ticket(issuer: let text, let ticket)? = EnvironmentInvitation(scanned) else { return }
/// let signIn = TicketSignIn(at: try Issuer(text), as: ClientID("bank-app"), keepingTokensIn: store)
/// let signedIn = try await signIn.redeem(ticket)
/// ```
///
/// The sign-in is kept where ``TokenRefresher`` finds it. What it may do, the ticket says.
///
/// Standard: OpenID for Verifiable Credential Issuance 1.0 §6.1 (the grant type alone).
public struct TicketSignIn: Sendable {
    private let issuer: Issuer
    private let client: ClientIdentity
    private let transport: any HTTPTransport
    private let store: any TokenStore
    private let options: SignInOptions
    private let clock: TimeSource
    private let random: RandomSource

    /// Prepares a sign-in; nothing is sent before ``redeem(_:)``.
    ///
    /// - Parameters:
    ///   - issuer: The server's address, which the QR code names. The app decides whether it knows this server.
    ///   - client: The client id under which the server knows this app.
    ///   - secret: The client secret; `nil`, the default, for an app that cannot keep one.
    ///   - transport: The network.
    ///   - store: Where the tokens are kept before ``redeem(_:)`` returns.
    ///   - options: Limits, attempts, and whether the tokens are bound to a key; the standard ones suit an ordinary network.
    ///   - clock: Where the time comes from: `.system`, or a clock of their own in tests.
    ///   - random: Where keys come from: `.system`, or a fixed sequence in tests.
    public init(
        at issuer: Issuer,
        as client: ClientID,
        secret: ClientSecret? = nil,
        over transport: any HTTPTransport,
        keepingTokensIn store: any TokenStore,
        options: SignInOptions = SignInOptions(),
        clock: TimeSource,
        random: RandomSource
    ) {
        self.issuer = issuer
        self.client = ClientIdentity(id: client, secret: secret)
        self.transport = transport
        self.store = store
        self.options = options
        self.clock = clock
        self.random = random
    }

    /// Redeems the ticket, once, and keeps the tokens.
    ///
    /// A server ends what a ticket gave when the ticket comes twice. So the request is repeated only where it certainly did
    /// not arrive.
    ///
    /// - Parameter ticket: The ticket, as it was scanned.
    /// - Returns: The tokens, already kept; who signed in where the server says so.
    /// - Throws: ``SignInError``: `expired` for a ticket that is not good any more, `answer_lost` when the answer was lost on
    ///   the way, so that another ticket is needed; others by network, server and store. Tokens that came and could not be
    ///   kept are given back to the server.
    public func redeem(_ ticket: EnrollmentTicket) async throws(SignInError) -> SignedIn {
        let discovery = Discovery(
            issuer: issuer, transport: transport, options: options, needsKeys: false, flow: .tokens)
        let server = try await retrier.attempt { () async throws(StepFailure) in try await discovery.server() }
        let key = try options.binding.newKey(at: server, drawingFrom: random)
        let conversation = ServerConversation(
            server: server,
            client: client,
            transport: transport,
            options: options,
            proofs: key.map { KeyProofs(of: $0, clock: clock, drawingFrom: random) }
        )
        let response = try await retrier.attempt { () async throws(StepFailure) in
            try await conversation.redeem(ticket)
        }
        do throws(SignInError) {
            return try await accept(response, from: conversation)
        } catch {
            _ = await conversation.giveBack(response)
            throw error
        }
    }

    /// Verifies who it is, where the server says so, and keeps the tokens.
    private func accept(
        _ response: TokenResponse,
        from conversation: ServerConversation
    ) async throws(SignInError) -> SignedIn {
        var identity: VerifiedIdentity?
        if response.idToken != nil {
            identity = try await conversation.verifiedIdentity(in: response, retrying: retrier, by: clock)
        }
        let signedIn = SignedIn(
            response,
            asked: .none,
            identity: identity,
            proving: conversation.proofs?.key,
            at: clock.now()
        )
        let (store, key) = (store, TokenStoreKey.signIn(at: issuer, as: client.id))
        do {
            try await store.exclusively(for: key) { try await store.save(signedIn, for: key) }
        } catch {
            throw SignInError(storing: error)
        }
        return signedIn
    }

    private var retrier: Retrier { Retrier(limit: options.attempts, clock: clock) { _ in } }
}

extension TicketSignIn {
    /// Prepares a sign-in over this machine's network and by its clocks.
    ///
    /// - Parameters:
    ///   - issuer: The server's address, which the QR code names.
    ///   - client: The client id under which the server knows this app.
    ///   - secret: The client secret; `nil`, the default, for an app that cannot keep one.
    ///   - store: Where the tokens are kept before ``redeem(_:)`` returns.
    ///   - options: Limits, attempts, and whether the tokens are bound to a key.
    public init(
        at issuer: Issuer,
        as client: ClientID,
        secret: ClientSecret? = nil,
        keepingTokensIn store: any TokenStore,
        options: SignInOptions = SignInOptions()
    ) {
        self.init(
            at: issuer,
            as: client,
            secret: secret,
            over: SystemTransport.make(),
            keepingTokensIn: store,
            options: options,
            clock: .system,
            random: .system
        )
    }
}

extension ServerConversation {
    /// Redeems a ticket; a request that may have arrived is not repeated.
    fileprivate func redeem(_ ticket: EnrollmentTicket) async throws(StepFailure) -> TokenResponse {
        let form = TokenRequest.preAuthorizedCode(ticket).form
        let answer: HTTPAnswer
        do throws(TransportError) {
            answer = try await send(form, to: server.token, within: options.timeLimit)
        } catch {
            switch error.code {
            case .interrupted, .timedOut: throw .final(SignInError(.answerLost, because: error.description))
            case .notReached, .notTrusted, .cancelled, .tooLarge: throw error.stepFailure
            }
        }
        // What stands in between may have lost the server's answer, or the server its own.
        if case .interrupted? = answer.temporaryFailure {
            throw .final(SignInError(.answerLost, because: "a gateway answered"))
        }
        if case .serverFault? = answer.temporaryFailure {
            throw .final(SignInError(.answerLost, because: "the server failed"))
        }
        let response = try answer.success(TokenResponse.self, invalidGrantMeans: .expired)
        if let problem = problem(response) { throw .final(SignInError(.badAnswer, because: problem)) }
        return response
    }
}
