import CountersignApprover
import CountersignRequester

/// Key and state of the authenticator, beside the tokens that they belong to.
struct KeyAndStateStore: ApproverKeyStore, AuthenticatorStore {
    let store: SealedFileTokenStore

    func signer(for account: ApproverAccount.ID) async throws -> any ApproverSigner {
        let item = AuthenticatorItem("key \(account)")
        return try await store.exclusively(for: key(item)) {
            if let kept = try await load(item).flatMap({ ApproverPrivateKey(revealing: $0) }) { return kept }
            let made = ApproverPrivateKey(drawingFrom: .system)
            try await save(made.revealedBytes, for: item)
            return made
        }
    }

    func load(_ item: AuthenticatorItem) async throws -> [UInt8]? { try await store.load(key(item)) }
    func save(_ bytes: [UInt8], for item: AuthenticatorItem) async throws {
        try await store.save(bytes, for: key(item))
    }
    func remove(_ item: AuthenticatorItem) async throws { try await store.remove(key(item)) }

    private func key(_ item: AuthenticatorItem) -> TokenStoreKey {
        TokenStoreKey(TokenStoreKey.Kind("authenticator"), item.rawValue)
    }
}
