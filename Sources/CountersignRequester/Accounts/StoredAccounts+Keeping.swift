public import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What an account of the system signs in with.
public enum SystemAccountCredentials: Sendable, Equatable {
    /// It signs by OAuth 1, with the credentials of the client that it was added with and its own token.
    case oauth1(client: ClientCredentials, token: TokenCredentials)
    /// It has a bearer token.
    case bearer(AccessToken)
}

/// What a person has answered to an app that asked for accounts.
public struct SystemAccountPermission: Sendable, Hashable {
    /// Which app.
    public let app: ClientID
    /// Whose accounts.
    public let provider: AccountProviderID
    /// What the person answered.
    public let isAllowed: Bool
    /// The rights that the answer is about.
    public let permissions: [String]
}

extension TokenStoreKey.Kind {
    /// An account of the system: provider, identifier.
    public static let systemAccount = Self("system-account")
    /// What a person answered to an app that asked for accounts: provider, the app's identifier.
    public static let systemAccountPermission = Self("system-account-permission")
}

extension TokenStoreKey {
    static func account(_ id: SystemAccount.ID, at provider: AccountProviderID) -> TokenStoreKey {
        TokenStoreKey(.systemAccount, provider.rawValue, id.rawValue)
    }

    static func accountPermission(of app: ClientID, at provider: AccountProviderID) -> TokenStoreKey {
        TokenStoreKey(.systemAccountPermission, provider.rawValue, app.rawValue)
    }
}

/// An account as it is stored: the only form in which its secrets are encoded.
private struct KeptAccount: Codable {
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

/// An answer as it is stored.
struct KeptPermission: Codable, Sendable {
    let isAllowed: Bool
    let permissions: [String]
    let audience: SystemAccountAccess.Audience

    init(_ access: SystemAccountAccess, isAllowed: Bool) {
        self.isAllowed = isAllowed
        permissions = access.permissions
        audience = access.audience
    }

    /// Whether the person need not be asked again: an app that wants more than was allowed asks again.
    func covers(_ access: SystemAccountAccess) -> Bool {
        guard isAllowed else { return true }
        return Set(access.permissions).isSubset(of: permissions)
            && (access.audience == audience || access.audience == .onlyMe)
    }
}

extension StoredAccounts {
    /// Adds an account, in place of one with the same identifier.
    ///
    /// - Parameters:
    ///   - account: Provider, identifier, and the name that apps show.
    ///   - credentials: What it signs in with.
    /// - Throws: ``TokenStoreError`` when it could not be kept.
    public func add(
        _ account: SystemAccount,
        with credentials: SystemAccountCredentials
    ) async throws(TokenStoreError) {
        let key = TokenStoreKey.account(account.id, at: account.provider)
        try await store.save(Self.written(KeptAccount(account, credentials)), for: key)
    }

    /// Removes an account.
    ///
    /// - Parameters:
    ///   - id: Which one; without one nothing happens.
    ///   - provider: Whose account it is.
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
            guard let kept: KeptAccount = try await read(key) else { continue }
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
        var permissions: [SystemAccountPermission] = []
        for key in try await store.keys() where key.kind == .systemAccountPermission && key.names.count == 2 {
            guard let kept = try await permission(for: key) else { continue }
            permissions.append(
                SystemAccountPermission(
                    app: ClientID(key.names[1]),
                    provider: AccountProviderID(key.names[0]),
                    isAllowed: kept.isAllowed,
                    permissions: kept.permissions
                )
            )
        }
        return permissions
    }

    /// Forgets what the person has answered to an app, which asks again the next time.
    ///
    /// - Parameters:
    ///   - app: Which app.
    ///   - provider: Whose accounts.
    /// - Throws: ``TokenStoreError`` when it could not be removed.
    public func forgetPermission(of app: ClientID, at provider: AccountProviderID) async throws(TokenStoreError) {
        try await store.remove(.accountPermission(of: app, at: provider))
    }

    func credentials(of account: SystemAccount) async throws(TokenStoreError) -> SystemAccountCredentials? {
        let kept: KeptAccount? = try await read(.account(account.id, at: account.provider))
        return kept?.credentials
    }

    func permission(for key: TokenStoreKey) async throws(TokenStoreError) -> KeptPermission? {
        try await read(key)
    }

    func keep(_ permission: KeptPermission, for key: TokenStoreKey) async throws(TokenStoreError) {
        try await store.save(Self.written(permission), for: key)
    }

    private func read<Kept: Decodable>(_ key: TokenStoreKey) async throws(TokenStoreError) -> Kept? {
        guard let item = try await store.load(key) else { return nil }
        guard let kept = try? JSONDecoder().decode(Kept.self, from: Data(item)) else {
            throw TokenStoreError(.damaged, because: "\(key) is no \(Kept.self)")
        }
        return kept
    }

    private static func written(_ kept: some Encodable) throws(TokenStoreError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let bytes = try? encoder.encode(kept) else {
            throw TokenStoreError(.notWritten, because: "the item cannot be written as JSON")
        }
        return Array(bytes)
    }
}
