public import Countersign
public import CountersignWire
internal import FoundationEssentialsCompat

extension TokenStoreKey {
    /// The key of an app's sign-in at a server.
    ///
    /// - Parameters:
    ///   - issuer: The server.
    ///   - client: The app's client id at the provider.
    /// - Returns: The same key for each sign-in of this app at this server.
    public static func signIn(at issuer: Issuer, as client: ClientID) -> TokenStoreKey {
        TokenStoreKey(.signIn, issuer.text, client.rawValue)
    }
}

extension TokenStore {
    /// Reads a sign-in.
    ///
    /// - Parameter key: A key of ``TokenStoreKey/signIn(at:as:)``.
    /// - Returns: The sign-in, whatever its age; `nil` when there is none.
    /// - Throws: ``TokenStoreError``, `damaged` if the item is no sign-in.
    public func signedIn(for key: TokenStoreKey) async throws(TokenStoreError) -> CompletedSignIn? {
        try await kept(for: key)?.signedIn
    }

    private func kept(for key: TokenStoreKey) async throws(TokenStoreError) -> SignInItem? {
        guard let kept: SignInItem = try await load(json: key) else { return nil }
        guard key.kind == .signIn else { throw TokenStoreError(.damaged, because: "\(key) is no kept sign-in") }
        return kept
    }

    /// The identifier of the refresh that a sign-in awaits the answer of; draws and stores one if there is none.
    ///
    /// It is stored only until the answer is: a copy of the store made between refreshes is worth less.
    ///
    /// - Throws: ``TokenStoreError`` when it could not be stored.
    func refreshRequestID(
        of signedIn: CompletedSignIn,
        for key: TokenStoreKey,
        drawingFrom random: RandomSource
    ) async throws(TokenStoreError) -> TokenRequestID {
        if let kept = try await kept(for: key), kept.refreshToken == signedIn.refreshToken?.revealed,
            let id = kept.refreshRequestID
        {
            return TokenRequestID(revealing: id)
        }
        let id = TokenRequestID(drawingFrom: random)
        try await save(json: SignInItem(signedIn, refreshing: id), for: key)
        return id
    }

    /// Stores a sign-in, in place of an existing one.
    ///
    /// - Throws: ``TokenStoreError`` when it could not be stored.
    public func save(_ signedIn: CompletedSignIn, for key: TokenStoreKey) async throws(TokenStoreError) {
        try await save(json: SignInItem(signedIn), for: key)
    }
}

/// A stored sign-in: no other form encodes its tokens.
struct SignInItem: Codable, Sendable {
    let accessToken: String
    let refreshToken: String?
    /// Seconds since 1970.
    let expires: Double?
    let scope: String
    let identity: IdentityItem?
    /// The private key in base64url; left out for bearer tokens.
    let key: String?
    /// The arrival of the tokens, in seconds since 1970; left out in older items.
    let received: Double?
    /// The statement about the person; left out when there was none, and in older items.
    let idToken: String?
    /// The identifier of a refresh whose answer has not been stored; omitted by default, and in older items.
    let refreshRequestID: String?

    struct IdentityItem: Codable, Sendable {
        let issuer: String
        let subject: Subject
        let name: String?
        let username: String?
        let email: String?
        /// Left out in older items.
        let evidence: EvidenceClaim?
    }

    init(_ signedIn: CompletedSignIn, refreshing id: TokenRequestID? = nil) {
        refreshRequestID = id?.revealed
        idToken = signedIn.idToken?.revealed
        received = signedIn.received?.timeIntervalSince1970
        accessToken = signedIn.accessToken.revealed
        refreshToken = signedIn.refreshToken?.revealed
        expires = signedIn.expires?.timeIntervalSince1970
        scope = signedIn.scope.description
        identity = signedIn.identity.map { identity in
            IdentityItem(
                issuer: identity.issuer,
                subject: identity.subject,
                name: identity.name,
                username: identity.username,
                email: identity.email,
                evidence: identity.evidence
            )
        }
        key = signedIn.key?.kept
    }

    /// The sign-in as the app uses it.
    var signedIn: CompletedSignIn {
        CompletedSignIn(
            accessToken: AccessToken(revealing: accessToken),
            refreshToken: refreshToken.map(RefreshToken.init(revealing:)),
            expires: expires.map(Date.init(timeIntervalSince1970:)),
            scope: Scope(parsing: scope) ?? .none,
            identity: identity.map { kept in
                VerifiedIdentity(
                    restoring: kept.issuer,
                    subject: kept.subject,
                    name: kept.name,
                    username: kept.username,
                    email: kept.email,
                    evidence: kept.evidence
                )
            },
            key: key.flatMap(DPoPKey.init(kept:))
        )
        .received(
            at: received.map(Date.init(timeIntervalSince1970:)), with: idToken.map(UnverifiedIDToken.init(revealing:)))
    }
}

extension TokenStore {
    /// Makes sure that tokens can be stored, before a person is asked or a code is spent.
    ///
    /// - Throws: ``SignInError`` when they could not be stored.
    func requireSaving() async throws(SignInError) {
        try await SignInError.storing { try await prepareToSave() }
    }

    /// Keeps a new sign-in instead of an older one, once no other task renews that.
    ///
    /// - Returns: The older one; `nil` when there was none that could be read.
    /// - Throws: ``SignInError`` when it could not be stored, or the task was cancelled before.
    @discardableResult
    func keep(_ signedIn: CompletedSignIn, for key: TokenStoreKey) async throws(SignInError) -> CompletedSignIn? {
        guard !Task.isCancelled else { throw SignInError.taskCancelled }
        return try await SignInError.storing {
            try await exclusively(for: key) {
                let older = try? await self.signedIn(for: key)
                try await save(signedIn, for: key)
                return older
            }
        }
    }
}
