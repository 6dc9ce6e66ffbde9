public import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Keeps a sign-in alive: renews its tokens in time, and signs out.
///
/// Every renewal is saved before it is handed out, since the token it was made from is spent. Callers that ask at the
/// same time share one renewal, tasks of this process and other processes that use the same store; cancelling one of
/// them does not stop it. Whoever wants to know of renewals by others watches ``TokenStore/changes``.
/// Standard: RFC 6749 §6, RFC 7009.
public actor SignInKeeper {
    private let issuer: Issuer
    private let client: ClientIdentity
    private let transport: any HTTPTransport
    private let store: any TokenStore
    private let options: SignInOptions
    private let clock: TimeSource
    private var server: AuthorizationServer?
    /// What a renewal brought that could not be saved yet, and what it was made from, which is spent.
    private var unsaved: (spent: SignedIn, renewed: SignedIn)?
    private var renewal: Task<Result<SignedIn, SignInError>, Never>?

    /// A keeper of the sign-in that `store` has for this app at this server.
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

    /// Tokens that live for at least `span` from now, renewed if they have to be.
    ///
    /// An access token of unknown life is handed out as it is.
    /// - Throws: ``SignInError`` `signed_out` when there is no sign-in, or not any more.
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
    /// - Parameter refused: The access token that was refused: when another one is kept by now, that is handed out.
    /// - Throws: ``SignInError`` `signed_out` when the server does not renew them; they are removed from the store then.
    public func refresh(insteadOf refused: AccessToken? = nil) async throws(SignInError) -> SignedIn {
        let kept = try await load()
        if unsaved == nil, let refused, kept.accessToken != refused { return kept }
        return try await renewal(of: kept)
    }

    /// Ends the sign-in: revokes its tokens and removes them from the store.
    ///
    /// They are removed in any case. Returns whether the server said that they are revoked; without a network they live
    /// on there until they expire.
    @discardableResult
    public func signOut() async throws(SignInError) -> Bool {
        // A renewal under way, here or in another process, would write its tokens after ours are gone.
        try await alone { try await self.signOutAlone() }
    }
}

extension SignInKeeper {
    /// Whether a renewal is under way, for tests.
    var isRenewing: Bool { renewal != nil }

    private var key: TokenStoreKey { .signIn(at: issuer, as: client.id) }

    /// Does what only one task of one process may do with this sign-in.
    private func alone<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws(SignInError) -> Value {
        do {
            return try await store.exclusively(for: key, body)
        } catch {
            throw SignInError(storing: error)
        }
    }

    /// What comes of the renewal under way, or of a new one.
    private func renewal(of stale: SignedIn) async throws(SignInError) -> SignedIn {
        let task = renewal ?? Task { await renew(stale) }
        renewal = task
        return try await Interruptible.value { await task.value }.get()
    }

    private func renew(_ stale: SignedIn) async -> Result<SignedIn, SignInError> {
        defer { renewal = nil }
        do throws(SignInError) {
            return .success(try await alone { try await self.renewAlone(stale) })
        } catch {
            return .failure(error)
        }
    }

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

    /// Somebody who does not ask before may have renewed the tokens: then what they saved holds.
    private func afterRefusal(of token: RefreshToken, _ refusal: SignInError) async throws(SignInError) -> SignedIn {
        let kept = try await load()
        guard kept.refreshToken == token else { return kept }
        try await remove()
        throw refusal
    }

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

    /// Saves what could not be saved before; gives what holds now, which somebody else may have written since.
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

    private func save(_ signedIn: SignedIn) async throws(SignInError) {
        do throws(TokenStoreError) {
            try await store.save(signedIn, for: key)
        } catch {
            throw SignInError(storing: error)
        }
        unsaved = nil
    }

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
    /// A keeper over this machine's network and by its clocks; for the parameters see
    /// ``init(at:as:secret:over:keepingTokensIn:options:clock:)``.
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
