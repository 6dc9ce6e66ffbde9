public import Countersign

/// The keys of an app's sign-ins, each an item of the store that has its tokens.
///
/// ```swift
/// let keys = TokenStoreApproverKeys(in: store, drawingFrom: .system)
/// ```
///
/// A key is made when it is first asked for, by one task or process at a time. It stays until the app removes the item
/// when it signs out: ``Countersign/TokenStoreKey/approverKey(of:)``.
public struct TokenStoreApproverKeys: ApproverKeyStore {
    private let store: any TokenStore
    private let random: RandomSource

    /// Prepares the keys; nothing is read yet.
    ///
    /// - Parameters:
    ///   - store: The store of the app's tokens.
    ///   - random: The source of new keys; `.system`, but in tests.
    public init(in store: any TokenStore, drawingFrom random: RandomSource) {
        self.store = store
        self.random = random
    }

    /// The key of `account`, made when there is none yet. An item that is no key is replaced by a new one.
    ///
    /// - Parameter account: The sign-in that the key belongs to.
    /// - Returns: The same key each time.
    /// - Throws: ``Countersign/TokenStoreError``; `CancellationError` when the task is cancelled before.
    public func signer(for account: ApproverAccount.ID) async throws -> any ApproverSigner {
        let key = TokenStoreKey.approverKey(of: account)
        return try await store.exclusively(for: key) {
            if let stored = try await store.load(key).flatMap({ ApproverPrivateKey(revealing: $0) }) { return stored }
            let made = ApproverPrivateKey(drawingFrom: random)
            try await store.save(made.revealedBytes, for: key)
            return made
        }
    }
}

extension TokenStoreKey.Kind {
    /// The key that signs the decisions of a sign-in.
    package static let approverKey = Self("approver-key")
}

extension TokenStoreKey {
    /// The key that signs the decisions of a sign-in: the name of the sign-in.
    ///
    /// - Parameter account: The sign-in that the key belongs to.
    public static func approverKey(of account: ApproverAccount.ID) -> TokenStoreKey {
        TokenStoreKey(.approverKey, account.rawValue)
    }
}
