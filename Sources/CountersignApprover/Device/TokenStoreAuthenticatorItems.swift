public import Countersign

/// The state of an authenticator, in the store that has the app's tokens.
///
/// ```swift
/// let items = TokenStoreAuthenticatorItems(in: store)
/// ```
public struct TokenStoreAuthenticatorItems: AuthenticatorStore {
    private let store: any TokenStore

    /// Prepares the state; nothing is read yet.
    ///
    /// - Parameter store: The store of the app's tokens.
    public init(in store: any TokenStore) { self.store = store }

    /// Reads an item.
    ///
    /// - Parameter item: Which one.
    /// - Returns: The bytes that were saved last; `nil` when there are none.
    /// - Throws: ``Countersign/TokenStoreError``.
    public func load(_ item: AuthenticatorItem) async throws -> [UInt8]? { try await store.load(.item(item)) }

    /// Stores an item, in place of an existing one.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to keep; they may hold secrets.
    ///   - item: Which one.
    /// - Throws: ``Countersign/TokenStoreError``.
    public func save(_ bytes: [UInt8], for item: AuthenticatorItem) async throws {
        try await store.save(bytes, for: .item(item))
    }

    /// Removes an item, if there is one.
    ///
    /// - Parameter item: Which one.
    /// - Throws: ``Countersign/TokenStoreError``.
    public func remove(_ item: AuthenticatorItem) async throws { try await store.remove(.item(item)) }
}

extension TokenStoreKey.Kind {
    /// An item of an authenticator's state.
    package static let authenticator = Self("authenticator")
}

extension TokenStoreKey {
    /// An item of an authenticator's state: its name.
    fileprivate static func item(_ item: AuthenticatorItem) -> TokenStoreKey {
        TokenStoreKey(.authenticator, item.rawValue)
    }
}
