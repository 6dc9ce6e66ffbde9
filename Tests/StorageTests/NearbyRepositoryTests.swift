import Countersign
import CountersignServer
import Foundation
import Testing

@Suite("What a store keeps of phones nearby")
struct NearbyRepositoryTests {
    @Test(arguments: StoreUnderTest.allCases)
    func `are looks, found by nonce until their request is decided`(store: StoreUnderTest) async throws {
        let (one, two) = (Fixtures.look("one"), Fixtures.look("two"))
        let other = Fixtures.look("other", at: "another request")
        try await store.run { store in
            try await store.change { repositories in
                for look in [one, two, other] { try repositories.nearbyLooks.insert(look) }
            }
            #expect(try await store.read { try $0.nearbyLooks.find(one.nonce) } == one)
            #expect(try await store.read { try $0.nearbyLooks.find(two.nonce) } == two)
            await #expect(throws: StoreRefusal.alreadyExists) {
                try await store.change { try $0.nearbyLooks.insert(Fixtures.look("one", at: "another request")) }
            }

            try await store.change { try $0.nearbyLooks.removeAll(of: one.request) }
            #expect(try await store.read { try $0.nearbyLooks.find(one.nonce) } == nil)
            #expect(try await store.read { try $0.nearbyLooks.find(two.nonce) } == nil)
            #expect(try await store.read { try $0.nearbyLooks.find(other.nonce) } == other)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are decisions, one of each request`(store: StoreUnderTest) async throws {
        let decision = Fixtures.decision("one")
        try await store.run { store in
            try await store.change { try $0.nearbyDecisions.insert(decision) }
            #expect(try await store.read { try $0.nearbyDecisions.find(decision.request) } == decision)
            #expect(try await store.read { try $0.nearbyDecisions.find(SignInRequest.ID("two")) } == nil)
            await #expect(throws: StoreRefusal.alreadyExists) {
                try await store.change { try $0.nearbyDecisions.insert(Fixtures.decision("one", decided: noon + 1)) }
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `is swept when its time is over, the oldest first and some at a time`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { repositories in
                for number in 0..<4 {
                    let instant = noon + Double(number)
                    try repositories.nearbyLooks.insert(Fixtures.look("\(number)", expires: instant))
                    try repositories.nearbyDecisions.insert(Fixtures.decision("\(number)", decided: instant))
                }
            }
            let first = try await store.change { repositories in
                [
                    try repositories.nearbyLooks.sweep(before: noon + 3, limit: 2),
                    try repositories.nearbyDecisions.sweep(before: noon + 3, limit: 2),
                ]
            }
            let second = try await store.change { repositories in
                [
                    try repositories.nearbyLooks.sweep(before: noon + 3, limit: 2),
                    try repositories.nearbyDecisions.sweep(before: noon + 3, limit: 2),
                ]
            }
            #expect(first == [2, 2] && second == [1, 1])
            #expect(try await store.read { try $0.nearbyLooks.find(Fixtures.look("3").nonce) } != nil)
            #expect(try await store.read { try $0.nearbyDecisions.find(SignInRequest.ID("3")) } != nil)
        }
    }
}
