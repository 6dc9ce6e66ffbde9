import Countersign
import CountersignServer
import Foundation
import Testing

@Suite("The counts of a store")
struct CountRepositoryTests {
    private let key = CountKey(LimitName("user-code-per-address"), of: "192.0.2.1")

    @Test(arguments: StoreUnderTest.allCases)
    func `are found as they were put last`(store: StoreUnderTest) async throws {
        try await store.run { store in
            #expect(try await store.read { try $0.counts.find(key) } == nil)
            try await store.change { try $0.counts.put(Count(times: 1, ends: noon + 60.25), under: key) }
            try await store.change { try $0.counts.put(Count(times: 2, ends: noon + 61), under: key) }
            #expect(try await store.read { try $0.counts.find(key) } == Count(times: 2, ends: noon + 61))
            let other = CountKey(LimitName("user-code-per-account"), of: "192.0.2.1")
            #expect(try await store.read { try $0.counts.find(other) } == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are swept when their time is over, a few at a time`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let keys = (1...3).map { CountKey(LimitName("a"), of: "\($0)") }
            try await store.change { repositories in
                for (index, key) in keys.enumerated() {
                    try repositories.counts.put(Count(times: 1, ends: noon + Double(index)), under: key)
                }
            }
            #expect(try await store.change { try $0.counts.sweep(before: noon + 2, limit: 1) } == 1)
            #expect(try await store.read { try $0.counts.find(keys[0]) } == nil)
            #expect(try await store.change { try $0.counts.sweep(before: noon + 2, limit: 9) } == 1)
            #expect(try await store.read { try $0.counts.find(keys[2]) } != nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `lose none when many add at once`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for _ in 0..<50 {
                    tasks.addTask {
                        try await store.change { repositories in
                            var count = try repositories.counts.find(key) ?? Count(times: 0, ends: noon)
                            count.times += 1
                            try repositories.counts.put(count, under: key)
                        }
                    }
                }
                try await tasks.waitForAll()
            }
            let count = try await store.read { try $0.counts.find(key) }
            #expect(count?.times == 50)
        }
    }
}
