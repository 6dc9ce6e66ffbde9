import Countersign
import CountersignServer
import Foundation
import Testing

@Suite("What a store keeps of signed decisions")
struct DecisionRepositoryTests {
    @Test(arguments: StoreUnderTest.allCases)
    func `are nonces, found until their request is decided`(store: StoreUnderTest) async throws {
        let (one, two) = (Fixtures.decisionNonce("one"), Fixtures.decisionNonce("two"))
        let other = Fixtures.decisionNonce("other", at: "another request")
        try await store.run { store in
            try await store.change { repositories in
                for nonce in [one, two, other] { try repositories.decisionNonces.insert(nonce) }
            }
            #expect(try await store.read { try $0.decisionNonces.find(one.nonce) } == one)
            #expect(try await store.read { try $0.decisionNonces.find(two.nonce) } == two)
            await #expect(throws: StoreError.alreadyExists) {
                let again = Fixtures.decisionNonce("one", at: "another request")
                try await store.change { try $0.decisionNonces.insert(again) }
            }

            try await store.change { try $0.decisionNonces.removeAll(of: one.request) }
            #expect(try await store.read { try $0.decisionNonces.find(one.nonce) } == nil)
            #expect(try await store.read { try $0.decisionNonces.find(two.nonce) } == nil)
            #expect(try await store.read { try $0.decisionNonces.find(other.nonce) } == other)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are the decisions, one of each request`(store: StoreUnderTest) async throws {
        let decision = Fixtures.decision("one")
        try await store.run { store in
            try await store.change { try $0.signedDecisions.insert(decision) }
            #expect(try await store.read { try $0.signedDecisions.find(decision.request) } == decision)
            #expect(try await store.read { try $0.signedDecisions.find(SignInRequest.ID("two")) } == nil)
            await #expect(throws: StoreError.alreadyExists) {
                try await store.change { try $0.signedDecisions.insert(Fixtures.decision("one", decided: noon + 1)) }
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `is swept when its time is over, the oldest first and some at a time`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { repositories in
                for number in 0..<4 {
                    let instant = noon + Double(number)
                    try repositories.decisionNonces.insert(Fixtures.decisionNonce("\(number)", expires: instant))
                    try repositories.signedDecisions.insert(Fixtures.decision("\(number)", decided: instant))
                }
            }
            let first = try await store.change { repositories in
                [
                    try repositories.decisionNonces.sweep(before: noon + 3, limit: 2),
                    try repositories.signedDecisions.sweep(before: noon + 3, limit: 2),
                ]
            }
            let second = try await store.change { repositories in
                [
                    try repositories.decisionNonces.sweep(before: noon + 3, limit: 2),
                    try repositories.signedDecisions.sweep(before: noon + 3, limit: 2),
                ]
            }
            #expect(first == [2, 2] && second == [1, 1])
            #expect(try await store.read { try $0.decisionNonces.find(Fixtures.decisionNonce("3").nonce) } != nil)
            #expect(try await store.read { try $0.signedDecisions.find(SignInRequest.ID("3")) } != nil)
        }
    }
}
