import Countersign
import CountersignApprover
import CountersignTesting
import Testing

@Suite("The keys of an app in its token store")
struct TokenStoreApproverKeysTests {
    private let store = MemoryTokenStore()
    private let anna = ApproverAccount.ID("anna")
    private var keys: TokenStoreApproverKeys { TokenStoreApproverKeys(in: store, drawingFrom: .system) }

    @Test func `are made once for each sign-in, and found again`() async throws {
        let made = try await keys.signer(for: anna).publicKey
        #expect(try await keys.signer(for: anna).publicKey == made)
        #expect(try await keys.signer(for: ApproverAccount.ID("bert")).publicKey != made)
        #expect(await store.keys().map(\.description) == ["approver-key anna", "approver-key bert"])
    }

    @Test func `are the 32 bytes of each, under a name that stays`() async throws {
        let key = ApproverPrivateKey(drawingFrom: .system)
        let name = TokenStoreKey(TokenStoreKey.Kind("approver-key"), "anna")
        #expect(TokenStoreKey.approverKey(of: anna) == name)
        await store.save(key.revealedBytes, for: name)
        #expect(try await keys.signer(for: anna).publicKey == key.publicKey)
    }

    @Test func `are one key for callers at the same time`() async throws {
        let keys = keys
        let made = try await withThrowingTaskGroup(of: ApproverKey.self) { group in
            for _ in 0..<20 { group.addTask { try await keys.signer(for: ApproverAccount.ID("anna")).publicKey } }
            return try await group.reduce(into: Set<ApproverKey>()) { $0.insert($1) }
        }
        #expect(made.count == 1)
    }

    @Test func `stand beside the state of an authenticator, which has items of its own`() async throws {
        let items = TokenStoreAuthenticatorItems(in: store)
        let item = AuthenticatorItem("registration")
        #expect(try await items.load(item) == nil)
        try await items.save([1, 2], for: item)
        _ = try await keys.signer(for: anna)
        #expect(try await items.load(item) == [1, 2])
        #expect(await store.keys().map(\.description) == ["approver-key anna", "authenticator registration"])
        try await items.remove(item)
        #expect(try await items.load(item) == nil)
    }

    @Test func `are made anew after a sign-out, and in place of an item that is no key`() async throws {
        let first = try await keys.signer(for: anna).publicKey
        await store.remove(.approverKey(of: anna))
        let second = try await keys.signer(for: anna).publicKey
        #expect(first != second)
        await store.save([1, 2, 3], for: .approverKey(of: anna))
        let third = try await keys.signer(for: anna).publicKey
        #expect(third != second)
        #expect(try await keys.signer(for: anna).publicKey == third)
    }
}
