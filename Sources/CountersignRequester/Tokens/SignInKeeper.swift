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
/// same time share one renewal; cancelling one of them does not stop it.
/// Standard: RFC 6749 §6, RFC 7009.
public actor SignInKeeper {
    private let issuer: Issuer
    private let client: ClientIdentity
    private let transport: any HTTPTransport
    private let store: any TokenStore
    private let options: SignInOptions
    private let clock: RequesterClock
    private var server: AuthorizationServer?
    /// What a renewal brought that could not be saved yet; what is in the store is spent.
    private var unsaved: SignedIn?
    private var renewal: Task<Result<SignedIn, SignInError>, Never>?

    /// A keeper of the sign-in that `store` has for this app at this server.
    public init(
        at issuer: Issuer,
        as client: ClientID,
        secret: ClientSecret? = nil,
        over transport: any HTTPTransport,
        keepingTokensIn store: any TokenStore,
        options: SignInOptions = SignInOptions(),
        clock: RequesterClock
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
        let needed = clock.now().date.addingTimeInterval(span / .seconds(1))
        guard let expires = kept.expires, expires < needed else { return kept }
        return try await refresh()
    }

    /// Renews the tokens now, as after a resource server refused them.
    ///
    /// - Throws: ``SignInError`` `signed_out` when the server does not renew them; they are removed from the store then.
    public func refresh() async throws(SignInError) -> SignedIn {
        let task = renewal ?? Task { await renew() }
        renewal = task
        return try await Interruptible.value { await task.value }.get()
    }

    /// Ends the sign-in: revokes its tokens and removes them from the store.
    ///
    /// They are removed in any case. Returns whether the server said that they are revoked; without a network they live
    /// on there until they expire.
    @discardableResult
    public func signOut() async throws(SignInError) -> Bool {
        // A renewal under way would write its tokens after ours are gone.
        if let renewal { _ = await renewal.value }
        let kept = try await load()
        var revoked = false
        // One attempt: nobody waits for a server to come back in order to leave.
        if let conversation = try? await conversation(attempts: 1) {
            revoked = await conversation.giveBack(access: kept.accessToken, refresh: kept.refreshToken)
        }
        try await remove()
        if let renewal, case .success = await renewal.value { try await remove() }
        return revoked
    }
}

extension SignInKeeper {
    private var key: TokenStoreKey { TokenStoreKey(issuer: issuer, client: client.id) }

    private func renew() async -> Result<SignedIn, SignInError> {
        defer { renewal = nil }
        do throws(SignInError) {
            let kept = try await load()
            guard let token = kept.refreshToken else {
                throw SignInError(.signedOut, because: "there is no refresh token")
            }
            return .success(try await renewed(kept, by: token))
        } catch {
            return .failure(error)
        }
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
        let renewed = kept.refreshed(by: response, at: clock.now().date)
        try await save(renewed)
        return renewed
    }

    private func save(_ signedIn: SignedIn) async throws(SignInError) {
        unsaved = signedIn
        do {
            try await store.save(signedIn, for: key)
        } catch {
            throw SignInError(.notStored, because: String(describing: error))
        }
        unsaved = nil
    }

    /// Another process may have renewed the tokens first: then what it saved holds.
    private func afterRefusal(of token: RefreshToken, _ refusal: SignInError) async throws(SignInError) -> SignedIn {
        let kept = try await load()
        guard kept.refreshToken == token else { return kept }
        try await remove()
        throw refusal
    }

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
        if let unsaved {
            try await save(unsaved)
            return unsaved
        }
        let kept: SignedIn?
        do {
            kept = try await store.load(key)
        } catch {
            throw SignInError(.notLoaded, because: String(describing: error))
        }
        guard let kept else { throw SignInError(.signedOut, because: "nothing is kept") }
        return kept
    }

    private func remove() async throws(SignInError) {
        unsaved = nil
        do {
            try await store.remove(key)
        } catch {
            throw SignInError(.notStored, because: String(describing: error))
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
