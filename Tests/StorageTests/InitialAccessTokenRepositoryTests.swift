import Countersign
import CountersignServer
import Foundation
import Testing

@Suite("The initial access tokens of a store")
struct InitialAccessTokenRepositoryTests {
    @Test(arguments: StoreUnderTest.allCases)
    func `are found by their digest, and listed by age`(store: StoreUnderTest) async throws {
        let old = Fixtures.initialAccessToken("z", created: noon - 0.1)
        let new = Fixtures.initialAccessToken("a")
        try await store.run { store in
            #expect(try await store.read { try $0.initialAccessTokens.all() } == [])
            try await store.change {
                try $0.initialAccessTokens.insert(new)
                try $0.initialAccessTokens.insert(old)
            }
            #expect(try await store.read { try $0.initialAccessTokens.find(new.token) } == new)
            #expect(try await store.read { try $0.initialAccessTokens.find(SecretDigest(of: "another")) } == nil)
            #expect(try await store.read { try $0.initialAccessTokens.all() } == [old, new])
        }
    }

    @Test(arguments: StoreUnderTest.allCases, ["id", "token"])
    func `refuse a second of the same identifier or digest`(store: StoreUnderTest, same: String) async throws {
        let first = Fixtures.initialAccessToken("1")
        let other = Fixtures.initialAccessToken("2")
        let second = InitialAccessToken(
            id: same == "id" ? first.id : other.id,
            token: same == "token" ? first.token : other.token,
            allowance: .none,
            uses: 1,
            created: noon,
            expires: noon
        )
        try await store.run { store in
            try await store.change { try $0.initialAccessTokens.insert(first) }
            await #expect(throws: StoreError.alreadyExists) {
                try await store.change { try $0.initialAccessTokens.insert(second) }
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are used up, and nothing else of them changes`(store: StoreUnderTest) async throws {
        let token = Fixtures.initialAccessToken("1")
        var used = Fixtures.initialAccessToken("1", created: noon + 1, expires: noon + 1)
        used.uses = 0
        try await store.run { [used] store in
            try await store.change {
                try $0.initialAccessTokens.insert(token)
                try $0.initialAccessTokens.update(used)
                try $0.initialAccessTokens.update(Fixtures.initialAccessToken("nobody"))
            }
            var expected = token
            expected.uses = 0
            let stored = try await store.read { try $0.initialAccessTokens.all() }
            #expect(stored == [expected])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are removed once, and swept when they expired`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { repositories in
                for number in 1...4 {
                    let token = Fixtures.initialAccessToken("\(number)", expires: noon + Double(number))
                    try repositories.initialAccessTokens.insert(token)
                }
            }
            #expect(try await store.change { try $0.initialAccessTokens.remove(InitialAccessToken.ID("4")) })
            #expect(try await store.change { try $0.initialAccessTokens.remove(InitialAccessToken.ID("4")) } == false)
            #expect(try await store.change { try $0.initialAccessTokens.sweep(before: noon + 3, limit: 1) } == 1)
            #expect(try await store.change { try $0.initialAccessTokens.sweep(before: noon + 3, limit: 9) } == 1)
            #expect(try await store.read { try $0.initialAccessTokens.all() }.map(\.id.rawValue) == ["3"])
        }
    }
}
