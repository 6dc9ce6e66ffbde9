public import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Keeps a sign-in alive: renews its tokens in time, and signs out.
///
/// ```swift
/// let keeper = SignInKeeper(at: issuer, as: client, keepingTokensIn: store)
/// let token = try await keeper.signedIn().accessToken
/// ```
///
/// Every renewal is stored before it is returned, because it has spent the previous refresh token. Callers that ask at
/// the same time share one renewal, in this process and in others that use the same store; cancelling one of them does
/// not stop it. ``TokenStore/changes`` reports renewals by others.
/// Standard: RFC 6749 §6, RFC 7009.
public actor SignInKeeper {
    private let issuer: Issuer
    private let client: ClientIdentity
    private let transport: any HTTPTransport
    private let store: any TokenStore
    private let options: SignInOptions
    private let clock: TimeSource
    /// The server's metadata, once they were read.
    private var server: AuthorizationServer?
    /// A renewal that could not be stored yet, and the sign-in that it replaces, whose token is spent.
    private var unsaved: (spent: SignedIn, renewed: SignedIn)?
    /// The renewal that is under way.
    private var renewal: Task<Result<SignedIn, SignInError>, Never>?

    /// Creates a keeper of the sign-in that a store has for this app at this server.
    ///
    /// - Parameters:
    ///   - issuer: The authorization server.
    ///   - client: The app's client identifier there.
    ///   - secret: The app's secret, if it is a confidential client; none by default.
    ///   - transport: The network.
    ///   - store: Where ``SignIn`` has stored the tokens.
    ///   - options: Time limits and retries; the defaults suit an ordinary network.
    ///   - clock: The time, and how to wait.
    public init(
        at issuer: Issuer,
        as client: ClientID,
        secret: ClientSecret? = nil,
        over transport: any HTTPTransport,
        keepingTokensIn store: any TokenStore,
        options: SignInOptions = SignInOptions(),
        clock: TimeSource
    ) {
        self.issuer = issuer
        self.client = ClientIdentity(id: client, secret: secret)
        self.transport = transport
        self.store = store
        self.options = options
        self.clock = clock
    }

    /// Returns tokens that are valid for at least `span` from now, renewed if necessary.
    ///
    /// An access token whose life is unknown is returned as it is.
    ///
    /// - Parameter span: How long the access token must be valid; 30 seconds by default.
    /// - Throws: ``SignInError`` `signed_out` when there is no sign-in, or it has ended; others for network, server and
    ///   store.
    public func signedIn(forAtLeast span: Duration = .seconds(30)) async throws(SignInError) -> SignedIn {
        let kept = try await load()
        let needed = clock.now().addingTimeInterval(span / .seconds(1))
        if unsaved == nil {
            guard let expires = kept.expires, expires < needed else { return kept }
        }
        return try await renewal(of: kept)
    }

    /// Renews the tokens now, as after a resource server refused them.
    ///
    /// - Parameter refused: The access token that was refused; when another one is stored by now, that is returned. By
    ///   default the tokens are renewed in any case.
    /// - Throws: ``SignInError`` `signed_out` when the server does not renew them; they are then removed from the
    ///   store. Others for network, server and store.
    public func refresh(insteadOf refused: AccessToken? = nil) async throws(SignInError) -> SignedIn {
        let kept = try await load()
        if unsaved == nil, let refused, kept.accessToken != refused { return kept }
        return try await renewal(of: kept)
    }

    /// Ends the sign-in: revokes its tokens and removes them from the store.
    ///
    /// They are removed in any case. Returns whether the server confirmed that they are revoked; without a network they
    /// remain valid there until they expire.
    ///
    /// - Throws: ``SignInError`` `signed_out` when there is no sign-in; others for the store.
    @discardableResult
    public func signOut() async throws(SignInError) -> Bool {
        // A renewal under way, here or in another process, would write its tokens after ours are gone.
        try await alone { try await self.signOutAlone() }
    }
}

extension SignInKeeper {
    /// Whether a renewal is under way, for tests.
    var isRenewing: Bool { renewal != nil }

    /// The key of the sign-in in the store.
    private var key: TokenStoreKey { .signIn(at: issuer, as: client.id) }

    /// Runs `body` while no other task or process uses this sign-in.
    private func alone<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws(SignInError) -> Value {
        do {
            return try await store.exclusively(for: key, body)
        } catch {
            throw SignInError(storing: error)
        }
    }

    /// The result of the renewal under way, or of a new one.
    private func renewal(of stale: SignedIn) async throws(SignInError) -> SignedIn {
        let task = renewal ?? Task { await renew(stale) }
        renewal = task
        return try await Interruptible.value { await task.value }.get()
    }

    /// Renews the tokens, and ends the shared renewal.
    private func renew(_ stale: SignedIn) async -> Result<SignedIn, SignInError> {
        defer { renewal = nil }
        do throws(SignInError) {
            return .success(try await alone { try await self.renewAlone(stale) })
        } catch {
            return .failure(error)
        }
    }

    /// Renews the tokens, unless another task has done so since `stale` was read.
    private func renewAlone(_ stale: SignedIn) async throws(SignInError) -> SignedIn {
        if let settled = try await settleUnsaved() { return settled }
        let kept = try await load()
        // Somebody else was faster: what they got holds, and what was to be renewed is spent.
        guard kept.accessToken == stale.accessToken else { return kept }
        guard let token = kept.refreshToken else {
            throw SignInError(.signedOut, because: "there is no refresh token")
        }
        return try await renewed(kept, by: token)
    }

    /// Replaces the refresh token at the server, and stores the result.
    private func renewed(_ kept: SignedIn, by token: RefreshToken) async throws(SignInError) -> SignedIn {
        let response: TokenResponse
        do throws(SignInError) {
            let conversation = try await conversation(attempts: options.attempts)
            response = try await persistence(options.attempts).attempt { () async throws(StepFailure) in
                try await conversation.refresh(token)
            }
        } catch {
            guard error.code == .signedOut else { throw error }
            return try await afterRefusal(of: token, error)
        }
        let renewed = kept.refreshed(by: response, at: clock.now())
        unsaved = (kept, renewed)
        try await save(renewed)
        return renewed
    }

    /// Another process may have renewed the tokens without asking: then its result is used. Otherwise the sign-in has
    /// ended.
    private func afterRefusal(of token: RefreshToken, _ refusal: SignInError) async throws(SignInError) -> SignedIn {
        let kept = try await load()
        guard kept.refreshToken == token else { return kept }
        try await remove()
        throw refusal
    }

    /// Revokes the tokens and removes them.
    private func signOutAlone() async throws(SignInError) -> Bool {
        let stored = try await load()
        let kept = unsaved.map { $0.spent == stored ? $0.renewed : stored } ?? stored
        var revoked = false
        // One attempt: nobody waits for a server to come back in order to leave.
        if let conversation = try? await conversation(attempts: 1) {
            revoked = await conversation.giveBack(access: kept.accessToken, refresh: kept.refreshToken)
        }
        try await remove()
        return revoked
    }
}

extension SignInKeeper {
    private func persistence(_ attempts: Int) -> Persistence {
        Persistence(limit: attempts, clock: clock) { _ in }
    }

    private func conversation(attempts: Int) async throws(SignInError) -> ServerConversation {
        if let server { return conversation(with: server) }
        let discovery = Discovery(issuer: issuer, transport: transport, options: options, needsKeys: false)
        let found = try await persistence(attempts).attempt { () async throws(StepFailure) in
            try await discovery.server()
        }
        server = found
        return conversation(with: found)
    }

    private func conversation(with server: AuthorizationServer) -> ServerConversation {
        ServerConversation(server: server, client: client, transport: transport, options: options)
    }

    /// Reads the sign-in from the store.
    private func load() async throws(SignInError) -> SignedIn {
        let kept: SignedIn?
        do throws(TokenStoreError) {
            kept = try await store.signedIn(for: key)
        } catch {
            throw SignInError(loading: error)
        }
        guard let kept else { throw SignInError(.signedOut, because: "nothing is kept") }
        return kept
    }

    /// Stores a renewal that could not be stored before; returns what is valid now, which another process may have
    /// written since.
    private func settleUnsaved() async throws(SignInError) -> SignedIn? {
        guard let (spent, renewed) = unsaved else { return nil }
        let kept: SignedIn
        do throws(SignInError) {
            kept = try await load()
        } catch {
            if error.code == .signedOut { unsaved = nil }
            throw error
        }
        guard kept == spent else {
            unsaved = nil
            return kept
        }
        try await save(renewed)
        return renewed
    }

    /// Stores a renewal.
    private func save(_ signedIn: SignedIn) async throws(SignInError) {
        do throws(TokenStoreError) {
            try await store.save(signedIn, for: key)
        } catch {
            throw SignInError(storing: error)
        }
        unsaved = nil
    }

    /// Removes the sign-in from the store.
    private func remove() async throws(SignInError) {
        unsaved = nil
        do throws(TokenStoreError) {
            try await store.remove(key)
        } catch {
            throw SignInError(storing: error)
        }
    }
}

extension SignInKeeper {
    /// Creates a keeper that uses this machine's network and clock.
    ///
    /// - Parameters:
    ///   - issuer: The authorization server.
    ///   - client: The app's client identifier there.
    ///   - secret: The app's secret, if it is a confidential client; none by default.
    ///   - store: Where ``SignIn`` has stored the tokens.
    ///   - options: Time limits and retries; the defaults suit an ordinary network.
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
            clock: .system
        )
    }
}
