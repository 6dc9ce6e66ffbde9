import Countersign
import CountersignServer
import Foundation
import Testing

@Suite("The access tokens of a store")
struct AccessTokenRepositoryTests {
    @Test(arguments: StoreUnderTest.allCases)
    func `are found by digest until they are removed`(store: StoreUnderTest) async throws {
        let persons = Fixtures.accessToken("person's")
        let clients = Fixtures.accessToken("client's", grant: nil)
        let bound = Fixtures.accessToken("bound", key: Fixtures.certificateKey)
        try await store.run { store in
            try await store.change {
                try $0.accessTokens.insert(persons)
                try $0.accessTokens.insert(bound)
                try $0.accessTokens.insert(clients)
            }
            #expect(try await store.read { try $0.accessTokens.find(persons.token) } == persons)
            #expect(try await store.read { try $0.accessTokens.find(clients.token) } == clients)
            #expect(try await store.read { try $0.accessTokens.find(bound.token) } == bound)

            try await store.change { try $0.accessTokens.remove(persons.token) }
            try await store.change { try $0.accessTokens.remove(persons.token) }
            #expect(try await store.read { try $0.accessTokens.find(persons.token) } == nil)
            #expect(try await store.read { try $0.accessTokens.find(clients.token) } == clients)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `refuse a second of the same digest`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { try $0.accessTokens.insert(Fixtures.accessToken("one")) }
            await #expect(throws: StoreError.alreadyExists) {
                try await store.change {
                    try $0.accessTokens.insert(Fixtures.accessToken("one", grant: Grant.ID("other")))
                }
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are found though the digests of several begin in the same way`(store: StoreUnderTest) async throws {
        // The last one begins as the second attempts of the others do.
        let beginnings: [[UInt8]] =
            Array(repeating: Array(repeating: 7, count: 9), count: 5) + [Array(repeating: 7, count: 8) + [11]]
        let tokens = beginnings.enumerated().map { number, beginning in
            let digest = beginning + Array(SecretDigest(of: "\(number)").bytes.dropFirst(9))
            return Fixtures.accessToken("\(number)", token: SecretDigest(restoring: digest))
        }
        try await store.run { store in
            func found() async throws -> [String] {
                try await store.read { repositories in
                    try tokens.compactMap { try repositories.accessTokens.find($0.token)?.id.rawValue }
                }
            }
            try await store.change { repositories in
                for token in tokens { try repositories.accessTokens.insert(token) }
            }
            #expect(try await found() == ["0", "1", "2", "3", "4", "5"])
            await #expect(throws: StoreError.alreadyExists) {
                try await store.change { try $0.accessTokens.insert(tokens[3]) }
            }
            for number in [0, 2] { try await store.change { try $0.accessTokens.remove(tokens[number].token) } }
            #expect(try await found() == ["1", "3", "4", "5"])
            try await store.change { try $0.accessTokens.insert(tokens[2]) }
            #expect(try await found() == ["1", "2", "3", "4", "5"])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are found whatever the digest is`(store: StoreUnderTest) async throws {
        let tokens = [UInt8.min, 0x7F, 0x80, .max].map { byte in
            Fixtures.accessToken("\(byte)", token: SecretDigest(restoring: Array(repeating: byte, count: 32)))
        }
        try await store.run { store in
            try await store.change { repositories in
                for token in tokens { try repositories.accessTokens.insert(token) }
            }
            for token in tokens { #expect(try await store.read { try $0.accessTokens.find(token.token) } == token) }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of one grant or one client are removed together`(store: StoreUnderTest) async throws {
        let tokens = [
            Fixtures.accessToken("0", grant: Grant.ID("a")), Fixtures.accessToken("1", grant: Grant.ID("a")),
            Fixtures.accessToken("2", grant: Grant.ID("b"), client: ClientID("radio")),
            Fixtures.accessToken("3", grant: nil, client: ClientID("radio")),
            Fixtures.accessToken("4", grant: nil),
        ]
        try await store.run { store in
            func left() async throws -> [String] {
                try await store.read { repositories in
                    try tokens.compactMap { try repositories.accessTokens.find($0.token)?.id.rawValue }
                }
            }
            try await store.change { repositories in
                for token in tokens { try repositories.accessTokens.insert(token) }
            }
            try await store.change { try $0.accessTokens.removeAll(of: Grant.ID("a")) }
            #expect(try await left() == ["2", "3", "4"])
            for (client, removed) in [("radio", 1), ("radio", 1), ("radio", 0), ("nobody", 0)] {
                let count = try await store.change { try $0.accessTokens.removeAll(of: ClientID(client), limit: 1) }
                #expect(count == removed)
            }
            #expect(try await left() == ["4"])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of one client for one audience are removed together`(store: StoreUnderTest) async throws {
        let tokens = [
            Fixtures.accessToken("0", grant: nil, audience: "a"), Fixtures.accessToken("1", audience: "a"),
            Fixtures.accessToken("2", audience: "b"),
            Fixtures.accessToken("3", client: ClientID("radio"), audience: "a"),
        ]
        try await store.run { store in
            try await store.change { repositories in
                for token in tokens { try repositories.accessTokens.insert(token) }
                try repositories.accessTokens.removeAll(of: ClientID("tv"), for: "a")
            }
            let left = try await store.read { repositories in
                try tokens.compactMap { try repositories.accessTokens.find($0.token)?.id.rawValue }
            }
            #expect(left == ["2", "3"])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are swept when they have expired, the oldest first`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { repositories in
                for number in [2, 1, 3] {
                    let token = Fixtures.accessToken("\(number)", expires: noon + Double(number))
                    try repositories.accessTokens.insert(token)
                }
            }
            #expect(try await store.change { try $0.accessTokens.sweep(before: noon + 3, limit: 1) } == 1)
            #expect(try await store.read { try $0.accessTokens.find(Fixtures.accessToken("1").token) } == nil)
            #expect(try await store.change { try $0.accessTokens.sweep(before: noon + 3, limit: 9) } == 1)
            #expect(try await store.read { try $0.accessTokens.find(Fixtures.accessToken("3").token) } != nil)
        }
    }
}
