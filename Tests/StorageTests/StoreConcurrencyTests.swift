import Countersign
import CountersignServer
import Foundation
import Testing

@Suite("Under concurrency a store")
struct StoreConcurrencyTests {
    private static let rounds = 5

    @Test(arguments: StoreUnderTest.allCases)
    func `redeems one approved code once`(store: StoreUnderTest) async throws {
        let grant = Fixtures.grant("grant")
        try await store.run { store in
            for round in 1...Self.rounds {
                let exchange = Fixtures.exchange("\(round)", in: .approved(grant, by: Fixtures.anna))
                try await store.change { try $0.exchanges.insert(exchange) }

                let outcomes = try await all(200) { _ in
                    try await store.change { repositories -> Redemption? in
                        guard var found = try repositories.exchanges.find(exchange.requestCode) else { return nil }
                        let outcome = found.exchange.redeem(at: noon + 30)
                        if case .granted = outcome { try repositories.exchanges.update(found) }
                        return outcome
                    }
                }
                #expect(outcomes.count { $0 == .granted(grant) } == 1)
                #expect(outcomes.count { $0 == .alreadySpent } == 199)
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `lets one of approval and denial stand`(store: StoreUnderTest) async throws {
        let grant = Fixtures.grant("grant")
        try await store.run { store in
            for round in 1...Self.rounds {
                let exchange = Fixtures.exchange("\(round)", in: .taken(Fixtures.taking))
                try await store.change { try $0.exchanges.insert(exchange) }

                let decisions = try await all(40) { number -> Decision? in
                    let decision: Decision = (number + round) % 2 == 0 ? .approve(grant) : .deny
                    do {
                        try await store.change { repositories in
                            var found = try #require(try repositories.exchanges.find(Fixtures.userCode("\(round)")))
                            try found.exchange.record(decision, by: Fixtures.anna, at: noon + 30)
                            try repositories.exchanges.update(found)
                        }
                        return decision
                    } catch DecisionError.alreadyDecided {
                        return nil
                    }
                }
                let stood = decisions.compactMap { $0 }
                let kept = try await store.read { try $0.exchanges.find(exchange.id) }
                #expect(stood.count == 1)
                #expect(kept?.exchange.grant == (stood.first == .deny ? nil : grant))
                let denied = SignInExchange.State.denied(by: Fixtures.anna)
                #expect(kept?.exchange.state == (stood.first == .deny ? denied : .approved(grant, by: Fixtures.anna)))
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `rotates one refresh token once`(store: StoreUnderTest) async throws {
        try await store.run { store in
            for round in 1...Self.rounds {
                let token = Fixtures.refreshToken("\(round)")
                try await store.change { try $0.refreshTokens.insert(token) }

                let successors = try await all(100) { number in
                    try await store.change { repositories -> RefreshTokenRecord? in
                        guard try repositories.refreshTokens.find(token.family)?.token == token.token else {
                            return nil
                        }
                        let successor = Fixtures.refreshToken("\(round)", generation: 2 + number)
                        try repositories.refreshTokens.update(successor)
                        return successor
                    }
                }
                let stored = [try await store.read { try $0.refreshTokens.find(token.family) }].compactMap { $0 }
                #expect(stored.count == 1)
                #expect(successors.compactMap { $0 } == stored)
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `gives a name to one of those who want it`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let winners = try await all(100) { number in
                do {
                    try await store.change {
                        try $0.people.insert(Fixtures.person("subject \(number)", username: "anna"))
                    }
                    return true
                } catch StoreError.alreadyExists {
                    return false
                }
            }
            #expect(winners.count { $0 } == 1)
            #expect(try await store.read { try $0.people.all() }.count == 1)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `shows a change to every look-up that is asked after its answer`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let seen = try await all(200) { number in
                let token = Fixtures.accessToken("\(number)")
                try await store.change { try $0.accessTokens.insert(token) }
                let found = try await store.read { try $0.accessTokens.find(token.token) }
                try await store.change { try $0.accessTokens.remove(token.token) }
                let left = try await store.read { try $0.accessTokens.find(token.token) }
                return found == token && left == nil
            }
            #expect(seen.allSatisfy { $0 })
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `shows each look-up one state`(store: StoreUnderTest) async throws {
        let tokens = (0..<10).map { Fixtures.accessToken("\($0)") }
        try await store.run { store in
            let counts = try await all(100) { number in
                if number % 2 == 0 {
                    try await store.change { repositories in
                        let areThere = try repositories.accessTokens.find(tokens[0].token) != nil
                        for token in tokens {
                            if areThere {
                                try repositories.accessTokens.remove(token.token)
                            } else {
                                try repositories.accessTokens.insert(token)
                            }
                        }
                    }
                }
                return try await store.read { repositories in
                    try tokens.count { try repositories.accessTokens.find($0.token) != nil }
                }
            }
            #expect(counts.allSatisfy { $0 == 0 || $0 == tokens.count })
        }
    }

    /// Runs `body` so many times at once, and returns what each returned.
    private func all<Value: Sendable>(
        _ count: Int,
        _ body: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: Value.self) { group in
            for number in 0..<count { group.addTask { try await body(number) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
