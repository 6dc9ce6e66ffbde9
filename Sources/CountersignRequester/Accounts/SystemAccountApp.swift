public import Countersign
public import CountersignWire

/// An app as one provider of accounts knows it.
///
/// ``StoredAccounts/keep(_:)`` stores it for a program whose owner configures it once; an app with built-in constants
/// has an ``AccountAppCredentials``.
public struct SystemAccountApp: Sendable, Equatable {
    /// The provider.
    public let provider: AccountProviderID
    /// The app's identifier at the provider.
    public let client: ClientID
    /// The app's secret at the provider; `nil` at a provider of bearer tokens.
    public let secret: OAuth1Secret?

    /// An app.
    public init(at provider: AccountProviderID, client: ClientID, secret: OAuth1Secret? = nil) {
        self.provider = provider
        self.client = client
        self.secret = secret
    }
}

extension TokenStoreKey.Kind {
    /// The identifier of a program at a provider of accounts.
    public static let systemAccountApp = Self("system-account-app")
}

extension TokenStoreKey {
    fileprivate static func accountApp(at provider: AccountProviderID) -> TokenStoreKey {
        TokenStoreKey(.systemAccountApp, provider.rawValue)
    }
}

/// A stored app: no other form encodes its secret.
private struct AppItem: Codable {
    let client: String
    let secret: String?
}

extension StoredAccounts {
    /// Stores a program's registration at a provider, in place of an earlier one.
    ///
    /// - Parameter app: The program, as the provider knows it.
    /// - Throws: ``TokenStoreError`` when it could not be stored.
    public func keep(_ app: SystemAccountApp) async throws(TokenStoreError) {
        try await store.save(
            json: AppItem(client: app.client.rawValue, secret: app.secret?.revealed), for: .accountApp(at: app.provider)
        )
    }

    /// Forgets what a program is called at a provider; without such an entry nothing happens.
    ///
    /// - Parameter provider: The provider of the accounts that the program uses.
    /// - Throws: ``TokenStoreError`` when it could not be removed.
    public func removeApp(at provider: AccountProviderID) async throws(TokenStoreError) {
        try await store.remove(.accountApp(at: provider))
    }

    /// Returns what a program is called at a provider.
    ///
    /// - Parameter provider: The provider of the accounts that the program uses.
    /// - Returns: The program, as the provider knows it; `nil` when nothing is stored.
    /// - Throws: ``TokenStoreError`` when it cannot be read.
    public func app(at provider: AccountProviderID) async throws(TokenStoreError) -> SystemAccountApp? {
        guard let kept: AppItem = try await store.load(json: .accountApp(at: provider)) else { return nil }
        return SystemAccountApp(
            at: provider,
            client: ClientID(kept.client),
            secret: kept.secret.map { OAuth1Secret(revealing: $0) }
        )
    }

    /// Returns what a program is called at all providers.
    ///
    /// - Returns: An entry for each provider with data in the store.
    /// - Throws: ``TokenStoreError`` when they cannot be read.
    public func apps() async throws(TokenStoreError) -> [SystemAccountApp] {
        var apps: [SystemAccountApp] = []
        for key in try await store.keys() where key.kind == .systemAccountApp && key.names.count == 1 {
            if let app = try await app(at: AccountProviderID(key.names[0])) { apps.append(app) }
        }
        return apps.sorted { $0.provider.rawValue < $1.provider.rawValue }
    }
}
