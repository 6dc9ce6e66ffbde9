public import Countersign
public import CountersignWire

/// The credentials that an account of the system signs in with.
public enum SystemAccountCredentials: Sendable, Equatable {
    /// It signs by OAuth 1, with the credentials of the client that it was added with and its own token.
    case oauth1(client: ClientCredentials, token: TokenCredentials)
    /// It has a bearer token.
    case bearer(AccessToken)
}

extension TokenStoreKey.Kind {
    /// An account of the system: provider, identifier.
    public static let systemAccount = Self("system-account")
}

extension TokenStoreKey {
    static func account(_ id: SystemAccount.ID, at provider: AccountProviderID) -> TokenStoreKey {
        TokenStoreKey(.systemAccount, provider.rawValue, id.rawValue)
    }
}

/// A stored account: no other form encodes its secrets.
private struct AccountItem: Codable {
    let name: String
    let client: String?
    let clientSecret: String?
    let token: String
    let tokenSecret: String?

    init(_ account: SystemAccount, _ credentials: SystemAccountCredentials) {
        name = account.name
        switch credentials {
        case .oauth1(let client, let token):
            self.client = client.client.rawValue
            clientSecret = client.secret.revealed
            self.token = token.token.rawValue
            tokenSecret = token.secret.revealed
        case .bearer(let token):
            (client, clientSecret, tokenSecret) = (nil, nil, nil)
            self.token = token.revealed
        }
    }

    var credentials: SystemAccountCredentials {
        guard let client, let clientSecret, let tokenSecret else { return .bearer(AccessToken(revealing: token)) }
        return .oauth1(
            client: ClientCredentials(client: ClientID(client), secret: OAuth1Secret(revealing: clientSecret)),
            token: TokenCredentials(token: OAuth1Token(token), secret: OAuth1Secret(revealing: tokenSecret))
        )
    }
}

extension StoredAccounts {
    /// Adds an account, in place of one with the same identifier.
    ///
    /// - Parameters:
    ///   - account: Provider, identifier, and the name that apps show.
    ///   - credentials: The credentials that it signs in with.
    /// - Throws: ``TokenStoreError`` when it could not be stored.
    public func add(
        _ account: SystemAccount,
        with credentials: SystemAccountCredentials
    ) async throws(TokenStoreError) {
        let key = TokenStoreKey.account(account.id, at: account.provider)
        try await store.save(json: AccountItem(account, credentials), for: key)
    }

    /// Removes an account.
    ///
    /// - Parameters:
    ///   - id: Its identifier; an unknown one is ignored.
    ///   - provider: The provider of the account.
    /// - Throws: ``TokenStoreError`` when it could not be removed.
    public func remove(_ id: SystemAccount.ID, of provider: AccountProviderID) async throws(TokenStoreError) {
        try await store.remove(.account(id, at: provider))
    }

    /// Returns all accounts, for their owner.
    ///
    /// - Returns: The accounts, sorted by provider and identifier.
    /// - Throws: ``TokenStoreError`` when they cannot be read.
    public func accounts() async throws(TokenStoreError) -> [SystemAccount] {
        var accounts: [SystemAccount] = []
        for key in try await store.keys() where key.kind == .systemAccount && key.names.count == 2 {
            guard let kept: AccountItem = try await store.load(json: key) else { continue }
            let provider = AccountProviderID(key.names[0])
            accounts.append(SystemAccount(provider: provider, id: SystemAccount.ID(key.names[1]), name: kept.name))
        }
        return accounts
    }

    /// Returns what the person has answered so far.
    ///
    /// - Returns: The answers, sorted by provider and app.
    /// - Throws: ``TokenStoreError`` when they cannot be read.
    public func permissions() async throws(TokenStoreError) -> [SystemAccountPermission] {
        try await permissions.all()
    }

    /// Grants an app its requested rights, after the person had refused them.
    ///
    /// - Parameters:
    ///   - app: Which app.
    ///   - provider: The provider of the accounts.
    /// - Returns: The rights that it has now, in the provider's words; `nil` when it has not asked, which changes
    ///   nothing.
    /// - Throws: ``TokenStoreError`` when it could not be stored.
    public func allow(_ app: ClientID, at provider: AccountProviderID) async throws(TokenStoreError) -> [String]? {
        try await permissions.allow(app, at: provider)
    }

    /// Forgets what the person has answered to an app, which asks again the next time.
    ///
    /// - Parameters:
    ///   - app: Which app.
    ///   - provider: The provider of the accounts.
    /// - Throws: ``TokenStoreError`` when it could not be removed.
    public func forgetPermission(of app: ClientID, at provider: AccountProviderID) async throws(TokenStoreError) {
        try await permissions.forget(app, at: provider)
    }

    func credentials(of account: SystemAccount) async throws(TokenStoreError) -> SystemAccountCredentials? {
        let kept: AccountItem? = try await store.load(json: .account(account.id, at: account.provider))
        return kept?.credentials
    }
}
