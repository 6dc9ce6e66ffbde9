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
    /// - Parameter key: A key of ``TokenStoreKey/signIn(at:as:)``, or of a service.
    /// - Returns: The sign-in, whatever its age, of the current person where several share the screen; `nil` when there
    ///   is none.
    /// - Throws: ``TokenStoreError``, `damaged` if the item is no sign-in.
    public func signedIn(for key: TokenStoreKey) async throws(TokenStoreError) -> CompletedSignIn? {
        try await household(for: key).current?.signedIn
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
        var household = try await household(for: key)
        let kept = household.all.first { $0.refreshToken == signedIn.refreshToken?.revealed }
        if let id = kept?.refreshRequestID { return TokenRequestID(revealing: id) }
        let id = TokenRequestID(drawingFrom: random)
        var item = kept ?? SignInItem(signedIn)
        item.refreshRequestID = id.revealed
        household.renew(item)
        try await save(household, for: key)
        return id
    }

    /// Stores a sign-in, in place of an existing one; other people of the screen stay.
    ///
    /// Call it inside ``exclusively(for:_:)`` where others use the same item.
    ///
    /// - Throws: ``TokenStoreError`` when it could not be stored.
    public func save(_ signedIn: CompletedSignIn, for key: TokenStoreKey) async throws(TokenStoreError) {
        var household = try await replaceableHousehold(for: key)
        _ = household.put(SignInItem(signedIn), adding: false)
        try await save(household, for: key)
    }
}

/// A stored sign-in: no other form encodes its tokens.
struct SignInItem: Codable, Sendable {
    /// Left out for a remembered person who is signed out.
    private(set) var accessToken: String?
    private(set) var refreshToken: String?
    /// Seconds since 1970.
    private(set) var expires: Double?
    private(set) var scope: String
    let identity: IdentityItem?
    /// The private key in base64url; left out for bearer tokens.
    private(set) var key: String?
    /// The arrival of the tokens, in seconds since 1970; left out in older items.
    private(set) var received: Double?
    /// The statement about the person; left out when there was none, and in older items.
    private(set) var idToken: String?
    /// The end that the person chose, in seconds since 1970; left out when there is none, and in older items.
    private(set) var ends: Double?
    /// The identifier of a refresh whose answer has not been stored; omitted by default, and in older items.
    fileprivate(set) var refreshRequestID: String?
    /// The tokens for parts of the scope, by the requested part, each without a refresh token; left out when there are none,
    /// and in older items.
    var parts: [String: SignInItem]?

    struct IdentityItem: Codable, Sendable {
        let issuer: String
        let subject: Subject
        let name: String?
        let username: String?
        let email: String?
        /// Left out in older items.
        let evidence: EvidenceClaim?
    }

    init(_ signedIn: CompletedSignIn) {
        ends = signedIn.ends?.timeIntervalSince1970
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

    /// The person; `nil` when that was not asked for.
    var person: VerifiedIdentity? {
        identity.map { kept in
            VerifiedIdentity(
                restoring: kept.issuer,
                subject: kept.subject,
                name: kept.name,
                username: kept.username,
                email: kept.email,
                evidence: kept.evidence
            )
        }
    }

    /// The person, if this screen remembers them.
    var rememberedPerson: RememberedPerson? {
        RememberedPerson(person, statedBy: idToken.map(UnverifiedIDToken.init(revealing:)))
    }

    /// Whether the time is over that the person chose.
    func isOver(at now: Date) -> Bool { ends.map { $0 <= now.timeIntervalSince1970 } ?? false }

    /// The same person without tokens; `nil` when this screen does not remember them.
    var signedOut: SignInItem? {
        guard rememberedPerson != nil else { return nil }
        var item = self
        (item.accessToken, item.refreshToken, item.key, item.refreshRequestID) = (nil, nil, nil, nil)
        (item.expires, item.received, item.ends, item.scope, item.parts) = (nil, nil, nil, "", nil)
        return item
    }

    /// Whether an access token is that of the sign-in, or of a part of it.
    func has(_ token: AccessToken) -> Bool {
        let own = accessToken.map { [$0] } ?? []
        return (own + (parts ?? [:]).values.compactMap(\.accessToken))
            .contains { AccessToken(revealing: $0) == token }
    }

    /// The same sign-in without the part that has an access token, or with all tokens to be renewed if it is its own.
    func expiring(_ refused: AccessToken) -> SignInItem {
        var item = self
        if accessToken.map(AccessToken.init(revealing:)) == refused {
            (item.expires, item.parts) = (CompletedSignIn.refused.timeIntervalSince1970, nil)
        } else {
            item.parts = parts?.filter { !$0.value.has(refused) }
        }
        return item
    }

    /// The same sign-in without the statement that it remembers the person by; `nil` when there are no tokens.
    var forgotten: SignInItem? {
        guard accessToken != nil else { return nil }
        var item = self
        item.idToken = nil
        return item
    }

    /// The sign-in as the app uses it; `nil` for a remembered person who is signed out.
    var signedIn: CompletedSignIn? {
        guard let accessToken else { return nil }
        return CompletedSignIn(
            accessToken: AccessToken(revealing: accessToken),
            refreshToken: refreshToken.map(RefreshToken.init(revealing:)),
            expires: expires.map(Date.init(timeIntervalSince1970:)),
            scope: Scope(parsing: scope) ?? .none,
            identity: person,
            key: key.flatMap(DPoPKey.init(kept:))
        )
        .received(
            at: received.map(Date.init(timeIntervalSince1970:)), with: idToken.map(UnverifiedIDToken.init(revealing:)),
            ending: ends.map(Date.init(timeIntervalSince1970:)))
    }
}

extension TokenStore {
    /// Lets an access token that a service has refused expire, so that it is renewed before its next use.
    ///
    /// - Parameters:
    ///   - refused: The token; another one stays as it is. `nil` for that of the current person.
    ///   - key: A key of ``TokenStoreKey/signIn(at:as:)``.
    /// - Throws: As ``exclusively(for:_:)``.
    package func expire(_ refused: AccessToken?, for key: TokenStoreKey) async throws {
        try await changeHousehold(for: key) { household in
            let token = refused ?? household.current?.signedIn?.accessToken
            if let token { household.expire(token) }
        }
    }

    /// Makes sure that tokens can be stored, before a person is asked or a code is spent.
    ///
    /// - Throws: ``SignInError`` when they could not be stored.
    func requireSaving() async throws(SignInError) {
        try await SignInError.storing { try await prepareToSave() }
    }

    /// Keeps a new sign-in instead of an older one, once no other task renews that.
    ///
    /// - Parameter adds: Whether the older one stays if it is another person's; `false` by default.
    /// - Returns: The replaced ones, as far as they could be read.
    /// - Throws: ``SignInError`` when it could not be stored, or the task was cancelled before.
    @discardableResult
    func keep(
        _ signedIn: CompletedSignIn,
        for key: TokenStoreKey,
        adding adds: Bool = false
    ) async throws(SignInError) -> [CompletedSignIn] {
        guard !Task.isCancelled else { throw SignInError.taskCancelled }
        return try await SignInError.storing {
            try await exclusively(for: key) {
                var household = try await replaceableHousehold(for: key)
                let replaced = household.put(SignInItem(signedIn), adding: adds)
                try await save(household, for: key)
                return replaced.compactMap(\.signedIn)
            }
        }
    }
}
