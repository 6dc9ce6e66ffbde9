internal import Countersign

/// The protocol that the accounts of a provider sign in by.
public enum SystemAccountKind: String, Sendable, Hashable, CaseIterable, Codable {
    /// They sign by OAuth 1.
    case oauth1
    /// They have a bearer token.
    case bearer
}

extension TokenStoreKey.Kind {
    /// A provider of one's own whose accounts the system holds: its identifier.
    public static let systemAccountProvider = Self("system-account-provider")
}

extension TokenStoreKey {
    fileprivate static func accountProvider(_ provider: AccountProviderID) -> TokenStoreKey {
        TokenStoreKey(.systemAccountProvider, provider.rawValue)
    }
}

/// A stored provider.
private struct ProviderItem: Codable {
    let kind: SystemAccountKind
}

extension StoredAccounts {
    /// Registers a custom provider, whose accounts are stored from now on.
    ///
    /// ```swift
    /// try await accounts.register(AccountProviderID("recipes"), as: .oauth1)
    /// ```
    ///
    /// - Parameters:
    ///   - provider: Which one. X and Facebook are built in, and cannot be changed.
    ///   - kind: The protocol that its accounts sign in by.
    /// - Throws: ``TokenStoreError`` when it could not be stored.
    public func register(_ provider: AccountProviderID, as kind: SystemAccountKind) async throws(TokenStoreError) {
        try await store.save(json: ProviderItem(kind: kind), for: .accountProvider(provider))
    }

    /// Returns how accounts of a provider sign in.
    ///
    /// - Parameter provider: Which one.
    /// - Returns: The kind of its accounts; `nil` for a provider that is not known and was not registered.
    /// - Throws: ``TokenStoreError`` when it cannot be read.
    public func kind(of provider: AccountProviderID) async throws(TokenStoreError) -> SystemAccountKind? {
        switch provider {
        case .twitter: return .oauth1
        case .facebook: return .bearer
        default:
            let kept: ProviderItem? = try await store.load(json: .accountProvider(provider))
            return kept?.kind
        }
    }

    /// Returns the providers whose accounts are stored.
    ///
    /// - Returns: X and Facebook, then the registered ones.
    /// - Throws: ``TokenStoreError`` when they cannot be read.
    public func providers() async throws(TokenStoreError) -> [AccountProviderID] {
        let registered = try await store.keys().filter { $0.kind == .systemAccountProvider && $0.names.count == 1 }
            .map { AccountProviderID($0.names[0]) }
        return [.twitter, .facebook] + registered.filter { ![.twitter, .facebook].contains($0) }
    }
}
