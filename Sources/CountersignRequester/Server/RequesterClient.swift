internal import Countersign
internal import CountersignWire

/// An app as the client of one server, with all that its conversations there need.
struct RequesterClient: Sendable {
    let provider: ProviderProfile
    let identity: ClientIdentity
    /// Limits and attempts of requests, and whether tokens are bound to a key.
    var options: SignInOptions
    let context: RequesterContext
    /// Shows a failure that may pass.
    var announce: @Sendable (SignInEvent) async -> Void = { _ in }

    /// The key of the app's sign-in in a store; each service has its own.
    var key: TokenStoreKey {
        guard let service = options.service else { return TokenStoreKey(.signIn, provider.name, identity.id.rawValue) }
        return TokenStoreKey(.service, provider.name, identity.id.rawValue, service.purpose)
    }

    /// Repeats steps that fail for a reason that may pass.
    var retrier: Retrier { context.retrier(options, announce: announce) }

    /// Finds the server.
    ///
    /// - Parameters:
    ///   - flow: The flow that needs the server.
    ///   - needsKeys: Whether an ID token will have to be verified.
    func server(for flow: ServerDiscovery.Flow, needsKeys: Bool = false) async throws(SignInError) -> VerifiedServer {
        let server = try await provider.server(
            for: flow, needsKeys: needsKeys, options: options, in: context, retrying: retrier)
        try requireService(at: server, for: flow)
        return server
    }

    /// A new key for the tokens of a sign-in; `nil` when they are bearer tokens.
    ///
    /// - Throws: ``SignInError`` `binding_not_offered` when the server does not bind tokens, and they must be bound.
    func newKey(at server: VerifiedServer) throws(SignInError) -> DPoPKey? {
        try options.binding.newKey(at: server, drawingFrom: context.random)
    }

    /// The conversation with the server, which proves a key where tokens are bound to it.
    func conversation(
        with server: VerifiedServer,
        proving key: DPoPKey? = nil,
        requestID: TokenRequestID? = nil
    ) -> ServerConversation {
        ServerConversation(
            server: server,
            client: self,
            proofs: key.map { KeyProofs(of: $0, in: context) },
            requestID: requestID
        )
    }
}

extension RequesterClient {
    /// An app as the client of a server that publishes its metadata.
    init(
        at issuer: Issuer,
        as client: ClientID,
        secret: ClientSecret?,
        options: SignInOptions,
        in context: RequesterContext
    ) {
        self.init(
            provider: ProviderProfile(discoveredAt: issuer),
            identity: ClientIdentity(client, secret: secret),
            options: options,
            context: context
        )
    }
}
