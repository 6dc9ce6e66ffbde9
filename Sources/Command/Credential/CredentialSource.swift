internal import Countersign
internal import CountersignRequester
internal import CountersignWire
internal import Foundation

/// The tokens of one sign-in for other programs: renewed when they have to be, and asked for where there are none.
///
/// Of several processes that find none, one asks. The others wait for it, and take its tokens or its failure.
struct CredentialSource: Sendable {
    /// The time that a process waits for the question of another one.
    private static let longestWait = Duration.seconds(900)

    let key: TokenStoreKey
    /// The scope that tokens may have at most; `nil` for all that was granted.
    private let limit: Scope?
    private let store: SealedFileTokenStore
    private let refresher: TokenRefresher
    private let question: CredentialQuestion

    /// The tokens of a sign-in.
    ///
    /// - Parameters:
    ///   - selected: The sign-in.
    ///   - limit: The scope that tokens may have at most; `nil`, the default, for all that was granted.
    ///   - scope: The scope that is asked for where there are no tokens.
    ///   - server: The access to its server.
    ///   - options: The store, and the ways to sign in.
    ///   - interaction: The questions that are allowed.
    init(
        of selected: SelectedToken,
        within limit: Scope? = nil,
        for scope: Scope,
        at server: ServerAccess,
        options: CredentialOptions,
        using interaction: HelperInteraction
    ) throws {
        key = selected.key
        self.limit = limit
        store = try options.storage.store(waiting: Self.longestWait)
        let shared = try options.storage.store()
        refresher = try server.refresher(of: selected, in: shared)
        question = CredentialQuestion(
            issuer: try server.issuer(selected.key.names[0]),
            client: ClientIdentity(ClientID(selected.key.names[1]), secret: try server.secret()),
            person: selected.person,
            scope: scope,
            options: server.options(),
            ways: options.ways,
            store: shared,
            directory: options.storage.directory,
            interaction: interaction
        )
    }

    /// The tokens for a host.
    init(of host: CredentialHost, options: CredentialOptions, using interaction: HelperInteraction) async throws {
        let key = try host.key()
        let hosts = try await options.storage.store().credentialHosts()
        try self.init(
            of: SelectedToken(key: key),
            within: Scope(parsing: host.scope) ?? Scope.none,
            for: host.scope(with: hosts.filter(host.shares)),
            at: try host.access(),
            options: options,
            using: interaction
        )
    }

    /// A token that works for another 30 s at least.
    ///
    /// - Parameters:
    ///   - kind: The kind of token.
    ///   - refused: The digest of an access token that was refused: that one is renewed. `nil` for none.
    /// - Throws: a ``CommandError`` when there is none of that kind; otherwise as a sign-in does.
    func token(_ kind: ProgramToken.Kind, insteadOf refused: String? = nil) async throws -> ProgramToken {
        switch kind {
        case .access:
            let signedIn = try await signedIn { Self.accessToken(of: $0).digest != refused }
            guard signedIn.key == nil else {
                throw CommandError(
                    """
                    The tokens are bound to a key, which another program cannot prove. Sign in without --dpop, or use \
                    'countersign token header'.
                    """)
            }
            return try Self.accessToken(of: signedIn).checked()
        case .id:
            // A renewal brings none where there was none.
            let signedIn = try await signedIn { Self.idToken(of: $0)?.isAlive ?? true }
            let token = try Self.idToken(of: signedIn).or(
                failure: "The server has issued no ID token. Sign in with the scope openid, or use the access token.")
            guard token.isAlive else {
                throw CommandError("The server does not renew ID tokens. Use the access token, or sign in again.")
            }
            return try token.checked()
        }
    }

    private static func accessToken(of signedIn: CompletedSignIn) -> ProgramToken {
        ProgramToken(revealed: signedIn.accessToken.revealed, expires: signedIn.expires)
    }

    private static func idToken(of signedIn: CompletedSignIn) -> ProgramToken? {
        signedIn.idToken.map { token in
            ProgramToken(revealed: token.revealed, expires: (try? ParsedIDToken(token))?.unverifiedExpiry)
        }
    }
}

extension CredentialSource {
    /// The tokens, of a sign-in where there are none.
    ///
    /// - Parameter isUsable: Whether tokens that are alive will do; otherwise they are renewed.
    private func signedIn(
        where isUsable: @Sendable (CompletedSignIn) -> Bool
    ) async throws -> CompletedSignIn {
        if let kept = try await present(where: isUsable) { return kept }
        let began = TimeSource.system.now()
        let item = TokenStoreKey(.credentialQuestion, key.names[0], key.names[1])
        return try await store.exclusively(for: item) {
            // Another process may have asked meanwhile.
            if let kept = try await present(where: isUsable) { return kept }
            let (failure, now) = (try await CredentialFailure(at: item, in: store), TimeSource.system.now())
            if let failure, failure.isNews(since: began, at: now) { throw failure.error }
            let place = try await question.place()
            if let failure, let end = failure.pause(beforeAsking: place.personAtDevices, at: now) {
                throw CommandError(
                    """
                    \(failure.error.description) Devices are asked again from \(end.formatted(.iso8601)) on. Before that, \
                    sign in with: \(question.command)
                    """, status: failure.error.status)
            }
            do {
                try await question.ask(at: place)
            } catch let error as CommandError {
                let failure = CredentialFailure(error, asking: place.personAtDevices, at: TimeSource.system.now())
                // Also in a program that is being ended, as by a time limit.
                try await Task { try await failure.save(at: item, in: store) }.value
                throw error
            }
            try await store.remove(item)
            return try await tokens()
        }
    }

    /// The tokens that are kept, renewed if they have to be; `nil` when nobody is signed in.
    private func present(where isUsable: @Sendable (CompletedSignIn) -> Bool) async throws -> CompletedSignIn? {
        do throws(SignInError) {
            let kept = try await tokens()
            return isUsable(kept) ? kept : try await tokens(insteadOf: kept.accessToken)
        } catch {
            // A service signs in by 'signin --as-service' alone: its end is no question.
            guard error.code == .signedOut, key.kind == .signIn else { throw error }
            return nil
        }
    }

    /// The tokens that are kept, renewed if they have to be or were refused.
    private func tokens(insteadOf refused: AccessToken? = nil) async throws(SignInError) -> CompletedSignIn {
        if let limit { return try await refresher.signedIn(for: limit, insteadOf: refused) }
        guard let refused else { return try await refresher.signedIn() }
        return try await refresher.refresh(insteadOf: refused)
    }
}
