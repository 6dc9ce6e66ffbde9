public import Countersign
public import CountersignWire
internal import FoundationEssentialsCompat

/// Hands out the tokens of a sign-in that is stored, refreshes them in time, and signs out.
///
/// ```swift
/// let tokens = TokenRefresher(at: issuer, as: ClientID("kitchen-radio"), keepingTokensIn: store)
/// let request = try await tokens.authorized(asked)
/// ```
///
/// Every refresh is saved before it is handed out, since the previous refresh token is spent. Callers that ask at the
/// same time share one refresh: tasks of this process, and other processes that use the same store. Cancelling one of
/// them does not stop it. ``TokenStore/changes`` reports refreshes by other processes.
///
/// A request whose answer was lost is repeated, also by the next process that uses the store: Countersign answers it
/// again while the tokens of the answer are unused. It knows the request by a secret that is stored before the request
/// is sent, or by the key that the tokens are bound to.
///
/// Standard: RFC 6749 §6, RFC 7009.
public actor TokenRefresher {
    let client: RequesterClient
    let store: any TokenStore
    /// The person whose tokens they are: the current one, unless a ``Household`` names another.
    let selection: HouseholdItem.Selection
    /// Proves the key of the sign-in to the server; replaced with the stored sign-in.
    private var proofs: KeyProofs?
    /// The newest nonce of each resource server, by its origin.
    var resourceNonces: [String: DPoPNonce] = [:]
    /// The server, once discovered.
    private var server: VerifiedServer?
    /// The result of a refresh that could not be saved yet, and its spent predecessor.
    var unsaved: (spent: CompletedSignIn, renewed: CompletedSignIn)?
    /// The refresh that is under way, if one is, and the person whose it is: the current one may change meanwhile.
    private var renewal: (subject: Subject?, task: Task<Result<CompletedSignIn, SignInError>, Never>)?

    /// Takes up the sign-in that `store` has for this app at this server.
    ///
    /// - Parameters:
    ///   - issuer: The server's address.
    ///   - client: The app's client id at the server.
    ///   - secret: The client secret; `nil` for an app that cannot keep one.
    ///   - store: The store that ``SignIn`` stored the tokens in.
    ///   - options: Limits and attempts.
    ///   - context: The network, the clock and the source of the proofs' identifiers.
    public init(
        at issuer: Issuer,
        as client: ClientID,
        secret: ClientSecret? = nil,
        keepingTokensIn store: any TokenStore,
        options: SignInOptions = SignInOptions(),
        in context: RequesterContext = .system
    ) {
        self.init(
            of: .current, as: RequesterClient(at: issuer, as: client, secret: secret, options: options, in: context),
            keepingTokensIn: store)
    }

    /// Takes up the sign-in of one person.
    init(of selection: HouseholdItem.Selection, as client: RequesterClient, keepingTokensIn store: any TokenStore) {
        self.client = client
        self.store = store
        self.selection = selection
    }

    /// Hands out tokens that are alive, refreshed if they have to be.
    ///
    /// An access token of unknown lifetime is handed out unchecked.
    ///
    /// - Parameter span: The remaining lifetime that the access token must have; 30 s by default.
    /// - Returns: The tokens, and who signed in.
    /// - Throws: ``SignInError`` `signed_out` when there is no sign-in, or not any more; `not_reachable`,
    ///   `server_trouble` and the like when a refresh is needed and fails; `not_loaded`, `not_stored` and the like by
    ///   the store.
    ///
    /// Standard: RFC 6749 §6.
    public func signedIn(forAtLeast span: Duration = .seconds(30)) async throws(SignInError) -> CompletedSignIn {
        let kept = try await load()
        let now = client.context.clock.now()
        if unsaved == nil, kept.lives(until: now.addingTimeInterval(span / .seconds(1)), at: now) { return kept }
        return try await renewal(of: kept)
    }

    /// Refreshes the tokens now, as after a resource server refused them.
    ///
    /// - Parameter refused: The refused access token: when another one is stored by now, that is handed out. `nil`
    ///   refreshes in any case.
    /// - Returns: The tokens, and who signed in.
    /// - Throws: ``SignInError`` `signed_out` when the server does not refresh them; they are removed from the store
    ///   then.
    ///
    /// Standard: RFC 6749 §6; RFC 6750 §3.1.
    public func refresh(insteadOf refused: AccessToken? = nil) async throws(SignInError) -> CompletedSignIn {
        let kept = try await load()
        if unsaved == nil, let refused, kept.accessToken != refused { return kept }
        return try await renewal(of: kept)
    }
}

extension TokenRefresher {
    /// Whether a renewal is under way, for tests.
    var isRenewing: Bool { renewal != nil }

    /// Runs `body` while no other task or process uses this sign-in.
    func alone<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws(SignInError) -> Value {
        try await SignInError.storing { try await store.exclusively(for: client.key, body) }
    }

    /// The result of the renewal under way, or of a new one.
    private func renewal(of stale: CompletedSignIn) async throws(SignInError) -> CompletedSignIn {
        let subject = stale.identity?.subject
        let running = renewal.flatMap { $0.subject == subject ? $0.task : nil }
        let task = running ?? Task { await renew(stale) }
        renewal = (subject, task)
        return try await Interruptible.value { await task.value }.get()
    }

    /// Renews the tokens, and ends the shared renewal.
    private func renew(_ stale: CompletedSignIn) async -> Result<CompletedSignIn, SignInError> {
        defer { if renewal?.subject == stale.identity?.subject { renewal = nil } }
        return await Result { () async throws(SignInError) in
            try await alone { try await self.renewAlone(stale) }
        }
    }

    /// Renews the tokens, unless another task has done so since `stale` was read.
    private func renewAlone(_ stale: CompletedSignIn) async throws(SignInError) -> CompletedSignIn {
        let spent = unsaved?.spent
        // Tokens for a part leave the access token of the whole as it was.
        if let settled = try await settleUnsaved(), settled.accessToken != spent?.accessToken { return settled }
        let kept = try await load()
        // Another process was faster: its tokens are valid, and the ones to be refreshed are spent.
        guard kept.accessToken == stale.accessToken else { return kept }
        guard let token = kept.refreshToken else {
            throw SignInError(.signedOut, because: "there is no refresh token")
        }
        return try await renewed(kept, by: token)
    }

    /// Refreshes the tokens at the server, and saves them.
    ///
    /// - Parameter isSecond: Whether the answer counts, also with less scope than before. The first one may be the lost
    ///   answer to a request for a part; `false` by default.
    func renewed(
        _ kept: CompletedSignIn, by token: RefreshToken, isSecond: Bool = false
    ) async throws(SignInError) -> CompletedSignIn {
        let response: TokenResponse
        do throws(SignInError) {
            response = try await self.response(to: token, of: kept)
        } catch {
            guard error.code == .signedOut else { throw error }
            return try await afterRefusal(of: token, error)
        }
        let now = client.context.clock.now()
        let renewed = kept.refreshed(by: response, at: now)
        if !isSecond, let next = renewed.refreshToken, next != token, !kept.scope.isSubset(of: renewed.scope) {
            // The scope stays the larger one, should the second request fail.
            let continued = kept.continued(by: response, at: now)
            unsaved = (kept, continued)
            try await save(continued)
            return try await self.renewed(continued, by: next, isSecond: true)
        }
        unsaved = (kept, renewed)
        try await save(renewed)
        return renewed
    }

    /// The answer of the server to a refresh.
    ///
    /// - Parameter scope: A part of the scope; empty, the default, for all of it.
    func response(
        to token: RefreshToken, of kept: CompletedSignIn, for scope: Scope = .none
    ) async throws(SignInError) -> TokenResponse {
        let conversation = try await renewing(kept)
        return try await client.retrier.attempt { () async throws(StepError) in
            try await conversation.refresh(token, for: scope)
        }
    }

    /// The call of the server for a refresh, with the identifier of the last one if that has no answer yet.
    private func renewing(_ kept: CompletedSignIn) async throws(SignInError) -> ServerConversation {
        var conversation = try await conversation(client, proving: kept.key)
        guard conversation.server.takesRequestIDs, kept.key == nil else { return conversation }
        conversation.requestID = try await SignInError.storing {
            try await store.refreshRequestID(of: kept, for: client.key, drawingFrom: client.context.random)
        }
        return conversation
    }

    /// A process that does not take the lock may have refreshed the tokens: then its saved tokens are valid.
    func afterRefusal(of token: RefreshToken, _ refusal: SignInError) async throws(SignInError)
        -> CompletedSignIn
    {
        let kept = try await load()
        guard kept.refreshToken == token else { return kept }
        try await remove(forgetting: false)
        guard client.key.kind == .service else { throw refusal }
        throw SignInError(
            .signedOut, because: refusal.reason, saying: "The service was ended. Sign in again if it is still needed.")
    }
}

extension TokenRefresher {
    /// The conversation with the server; finds the server first if it is not known yet.
    func conversation(
        _ client: RequesterClient,
        proving key: DPoPKey?
    ) async throws(SignInError) -> ServerConversation {
        let known: VerifiedServer
        if let server { known = server } else { known = try await client.server(for: .tokens) }
        server = known
        var conversation = client.conversation(with: known)
        if let key {
            if proofs?.key != key { proofs = KeyProofs(of: key, in: client.context) }
            conversation.proofs = proofs
        }
        return conversation
    }

    /// The stored item of the person; `nil` when there is none.
    func item() async throws(SignInError) -> SignInItem? {
        do throws(TokenStoreError) {
            return try await store.household(for: client.key)[selection]
        } catch {
            throw SignInError(loading: error)
        }
    }

    /// The sign-in in the store, also one whose time is over.
    func stored() async throws(SignInError) -> CompletedSignIn {
        guard let kept = try await item()?.signedIn else { throw SignInError(.signedOut, because: "nothing is kept") }
        return kept
    }

    /// The sign-in in the store.
    func load() async throws(SignInError) -> CompletedSignIn {
        let kept = try await stored()
        guard let end = kept.ends, kept.isOver(at: client.context.clock.now()) else { return kept }
        throw SignInError(
            .signedOut, because: "the time is over that the person chose",
            saying: "Its time is over since \(end.formatted(.iso8601)). Sign in again.")
    }

    /// Retries a failed save; returns the valid sign-in, which another process may have written since.
    func settleUnsaved() async throws(SignInError) -> CompletedSignIn? {
        guard let (spent, renewed) = unsaved else { return nil }
        let kept: CompletedSignIn
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

    /// Keeps the tokens; they stay in memory when the store cannot.
    ///
    /// - Parameter parts: The tokens for parts of the scope, by the requested part; none by default.
    func save(_ signedIn: CompletedSignIn, with parts: [String: SignInItem]? = nil) async throws(SignInError) {
        try await SignInError.storing {
            var household = try await store.household(for: client.key)
            var item = SignInItem(signedIn)
            item.parts = parts
            household.renew(item)
            try await store.save(household, for: client.key)
        }
        unsaved = nil
    }

    /// Removes the tokens from memory and store; a person who is remembered stays there, unless they are forgotten.
    func remove(forgetting forgets: Bool) async throws(SignInError) {
        unsaved = nil
        try await SignInError.storing {
            var household = try await store.household(for: client.key)
            household.signOut(selection, forgetting: forgets)
            try await store.save(household, for: client.key)
        }
    }
}
