import Countersign
import CountersignServer
import Foundation
import Testing

@Suite("The refresh tokens of a store")
struct RefreshTokenRepositoryTests {
    @Test(arguments: StoreUnderTest.allCases)
    func `come back in every use`(store: StoreUnderTest) async throws {
        let uses: [RefreshTokenRecord.Use] = [.unused, .rotated(at: noon + 1)]
        try await store.run { store in
            for (index, use) in uses.enumerated() {
                let key = index == 0 ? nil : Fixtures.proofKey
                let inserted = Fixtures.refreshToken("inserted \(index)", use: use, key: key)
                var updated = Fixtures.refreshToken("updated \(index)")
                try await store.change { [updated] in
                    try $0.refreshTokens.insert(inserted)
                    try $0.refreshTokens.insert(updated)
                }
                updated.use = use
                updated.expires += 60
                try await store.change { [updated] in try $0.refreshTokens.update(updated) }

                #expect(try await store.read { try $0.refreshTokens.find(inserted.token) } == inserted)
                let token = updated.token
                #expect(try await store.read { try $0.refreshTokens.find(token) } == updated)
            }
            #expect(try await store.read { try $0.refreshTokens.find(SecretDigest(of: "unknown")) } == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `refuse a second of the same digest`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { try $0.refreshTokens.insert(Fixtures.refreshToken("one")) }
            await #expect(throws: StoreRefusal.alreadyExists) {
                try await store.change {
                    try $0.refreshTokens.insert(Fixtures.refreshToken("one", grant: Grant.ID("other")))
                }
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of one grant are removed together`(store: StoreUnderTest) async throws {
        let other = Fixtures.refreshToken("other", grant: Grant.ID("other"))
        try await store.run { store in
            try await store.change {
                try $0.refreshTokens.insert(Fixtures.refreshToken("one"))
                try $0.refreshTokens.insert(Fixtures.refreshToken("two", use: .rotated(at: noon)))
                try $0.refreshTokens.insert(other)
                try $0.refreshTokens.removeAll(of: Grant.ID("grant"))
            }
            #expect(try await store.read { try $0.refreshTokens.find(Fixtures.refreshToken("one").token) } == nil)
            #expect(try await store.read { try $0.refreshTokens.find(Fixtures.refreshToken("two").token) } == nil)
            #expect(try await store.read { try $0.refreshTokens.find(other.token) } == other)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are swept when they have expired, the oldest first`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { repositories in
                for number in [2, 1, 3] {
                    let token = Fixtures.refreshToken("\(number)", expires: noon + Double(number))
                    try repositories.refreshTokens.insert(token)
                }
            }
            #expect(try await store.change { try $0.refreshTokens.sweep(before: noon + 3, limit: 1) } == 1)
            #expect(try await store.read { try $0.refreshTokens.find(Fixtures.refreshToken("1").token) } == nil)
            #expect(try await store.change { try $0.refreshTokens.sweep(before: noon + 3, limit: 9) } == 1)
            #expect(try await store.read { try $0.refreshTokens.find(Fixtures.refreshToken("3").token) } != nil)
        }
    }
}
