import Countersign
import CountersignServer
import Foundation
import Testing

@Suite("The refresh tokens of a store")
struct RefreshTokenRepositoryTests {
    @Test(arguments: StoreUnderTest.allCases)
    func `come back by their family, the newest of each`(store: StoreUnderTest) async throws {
        try await store.run { store in
            for key in [nil, Fixtures.proofKey] {
                let name = key.map { "\($0)" } ?? "unbound"
                let first = Fixtures.refreshToken(name)
                try await store.change { try $0.refreshTokens.insert(first) }
                #expect(try await store.read { try $0.refreshTokens.find(first.family) } == first)

                let second = Fixtures.refreshToken(name, generation: 2, expires: noon + 660, key: key)
                try await store.change { try $0.refreshTokens.update(second) }
                #expect(try await store.read { try $0.refreshTokens.find(first.family) } == second)
            }
            #expect(try await store.read { try $0.refreshTokens.find(SecretDigest(of: "unknown")) } == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `refuse a second of the same family`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { try $0.refreshTokens.insert(Fixtures.refreshToken("one")) }
            await #expect(throws: StoreError.alreadyExists) {
                try await store.change {
                    try $0.refreshTokens.insert(Fixtures.refreshToken("one", grant: Grant.ID("other"), generation: 2))
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
                try $0.refreshTokens.insert(Fixtures.refreshToken("two"))
                try $0.refreshTokens.insert(other)
                try $0.refreshTokens.removeAll(of: Grant.ID("grant"))
            }
            #expect(try await store.read { try $0.refreshTokens.find(Fixtures.refreshToken("one").family) } == nil)
            #expect(try await store.read { try $0.refreshTokens.find(Fixtures.refreshToken("two").family) } == nil)
            #expect(try await store.read { try $0.refreshTokens.find(other.family) } == other)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are swept with the sign-in that they belong to`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { repositories in
                for number in [2, 1, 3] {
                    let signIn = Fixtures.signIn("\(number)", ends: noon + Double(number))
                    try repositories.signIns.insert(signIn)
                    for name in ["\(number)", "another of \(number)"] {
                        try repositories.refreshTokens.insert(Fixtures.refreshToken(name, grant: signIn.grant.id))
                    }
                }
            }
            let kept: @Sendable () async throws -> [String] = {
                try await store.read { repositories in
                    try ["1", "another of 1", "2", "another of 2", "3", "another of 3"].filter {
                        try repositories.refreshTokens.find(Fixtures.refreshToken($0).family) != nil
                    }
                }
            }
            #expect(try await store.change { try $0.signIns.sweep(before: noon + 3, limit: 1) } == 1)
            #expect(try await kept() == ["2", "another of 2", "3", "another of 3"])
            #expect(try await store.change { try $0.signIns.sweep(before: noon + 3, limit: 9) } == 1)
            #expect(try await kept() == ["3", "another of 3"])
        }
    }
}
