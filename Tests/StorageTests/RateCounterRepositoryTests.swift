import Countersign
import CountersignServer
import Foundation
import Testing

@Suite("The counts of a store")
struct RateCounterRepositoryTests {
    private let key = RateCounterKey(CounterName("guess-per-address"), of: "192.0.2.1")

    @Test(arguments: StoreUnderTest.allCases)
    func `begin a span with the first that is counted, and another when it is over`(store: StoreUnderTest) async throws
    {
        try await store.run { store in
            let key = key
            #expect(try await store.read { try $0.counts.find(key) } == nil)
            let counted = try await store.change { repositories in
                try [0, 59.5, 60, 61].map { second in
                    try repositories.counts.add(2, to: key, lasting: 60, at: noon + second)
                }
            }
            let (first, second) = (noon + 60, noon + 120)
            #expect(
                counted == [
                    RateCounter(times: 2, ends: first), RateCounter(times: 4, ends: first),
                    RateCounter(times: 2, ends: second), RateCounter(times: 4, ends: second),
                ]
            )
            #expect(try await store.read { try $0.counts.find(key) } == RateCounter(times: 4, ends: second))
            let other = RateCounterKey(CounterName("code-per-account"), of: "192.0.2.1")
            #expect(try await store.read { try $0.counts.find(other) } == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `can be taken back, and never fall below none`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let key = key
            let counted = try await store.change { repositories in
                try [-1, 2, -1, -5, 1].map { try repositories.counts.add($0, to: key, lasting: 60, at: noon).times }
            }
            #expect(counted == [0, 2, 1, 0, 1])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are removed by their key, and begin anew then`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let (key, other) = (key, RateCounterKey(CounterName("guess-per-address"), of: "192.0.2.2"))
            try await store.change { repositories in
                for key in [key, other] {
                    _ = try repositories.counts.add(7, to: key, lasting: 60, leaking: 10, at: noon)
                }
            }
            #expect(try await store.change { try $0.counts.remove(key) })
            #expect(try await store.change { try !$0.counts.remove(key) })
            #expect(try await store.read { try $0.counts.find(key) } == nil)
            #expect(try await store.read { try $0.counts.find(other)?.times } == 7)
            let again = try await store.change { repositories in
                _ = try repositories.counts.add(3, to: key, lasting: 60, at: noon + 1)
                let existed = try repositories.counts.remove(key)
                #expect(existed)
                return try repositories.counts.add(1, to: key, lasting: 60, at: noon + 2)
            }
            #expect(again == RateCounter(times: 1, ends: noon + 62))
            #expect(try await store.read { try $0.counts.find(key) } == again)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `stay when the change that removes them fails`(store: StoreUnderTest) async throws {
        struct Failure: Error {}
        try await store.run { store in
            let key = key
            let counted = try await store.change { try $0.counts.add(4, to: key, lasting: 60, at: noon) }
            await #expect(throws: Failure.self) {
                try await store.change { repositories in
                    _ = try repositories.counts.remove(key)
                    throw Failure()
                }
            }
            #expect(try await store.read { try $0.counts.find(key) } == counted)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `begin anew when the clock was set back`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let key = key
            let again = try await store.change { repositories in
                _ = try repositories.counts.add(9, to: key, lasting: 60, at: noon)
                return try repositories.counts.add(1, to: key, lasting: 60, at: noon - 3600)
            }
            #expect(again == RateCounter(times: 1, ends: noon - 3540))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are swept when their time is over, a few at a time`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let keys = (1...3).map { RateCounterKey(CounterName("a"), of: "\($0)") }
            try await store.change { repositories in
                for (index, key) in keys.enumerated() {
                    _ = try repositories.counts.add(1, to: key, lasting: 60, at: noon - 60 + Double(index))
                }
            }
            #expect(try await store.change { try $0.counts.sweep(before: noon + 2, limit: 1) } == 1)
            #expect(try await store.read { try $0.counts.find(keys[0]) } == nil)
            #expect(try await store.change { try $0.counts.sweep(before: noon + 2, limit: 9) } == 1)
            #expect(try await store.read { try $0.counts.find(keys[2]) } != nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `leak one after the other, whatever the span, and stay until they have`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let key = key
            let counted = try await store.change { repositories in
                try [(2, 0.0), (1, 50), (1, 61), (-1, 61), (9, 62), (1, -3600)].map { times, second in
                    try repositories.counts.add(times, to: key, lasting: 60, leaking: 10, at: noon + second)
                }
            }
            #expect(counted.map(\.drained) == [20, 60, 71, 61, 122, -3590].map { noon + $0 })
            #expect(counted.map(\.times) == [2, 3, 1, 0, 9, 1])
            let last = RateCounter(times: 1, ends: noon - 3540, drained: noon - 3590, counted: noon - 3600)
            #expect(try await store.read { try $0.counts.find(key) } == last)

            let late = RateCounterKey(CounterName("a"), of: "late")
            try await store.change { repositories in
                _ = try repositories.counts.add(1, to: late, lasting: 60, leaking: 30, at: noon)
                _ = try repositories.counts.add(1, to: late, lasting: 60, leaking: 30, at: noon + 59)
            }
            #expect(try await store.change { try $0.counts.sweep(before: noon + 61, limit: 9) } == 1)
            #expect(try await store.read { try $0.counts.find(late) }?.drained == noon + 89)
            #expect(try await store.change { try $0.counts.sweep(before: noon + 90, limit: 9) } == 1)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `lose none when many add at once`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let key = key
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for _ in 0..<50 {
                    tasks.addTask {
                        _ = try await store.change { try $0.counts.add(1, to: key, lasting: 60, at: noon) }
                    }
                }
                try await tasks.waitForAll()
            }
            let count = try await store.read { try $0.counts.find(key) }
            #expect(count?.times == 50)
        }
    }
}
