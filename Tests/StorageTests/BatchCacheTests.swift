import Countersign
import CountersignServer
import CountersignWire
import Testing

@testable import CountersignSQL

@Suite("What the changes of a batch share")
struct BatchCacheTests {
    private let tv = Fixtures.client("tv")

    @Test func `is a client that is read once, also one that does not exist`() {
        let batch = BatchCache()
        var looked = 0
        for _ in 0..<3 {
            batch.beginChange()
            #expect(find("tv", in: batch, counting: &looked) == tv)
            #expect(find("radio", in: batch, counting: &looked) == nil)
        }
        #expect(looked == 2)
    }

    @Test func `is read again after a change that failed, since it may have written it`() {
        let batch = BatchCache()
        var looked = 0
        batch.beginChange()
        _ = find("tv", in: batch, counting: &looked)
        batch.undoChange()
        batch.beginChange()
        _ = find("tv", in: batch, counting: &looked)
        #expect(looked == 2)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `never hides from a change what itself or an earlier one wrote`(_ store: StoreUnderTest) async throws {
        try await store.run { store in
            let tv = tv
            var renamed = tv
            renamed.name = "Renamed"
            let changed = renamed
            async let first = store.change { repositories -> [String?] in
                var names = [try repositories.clients.find(tv.id)?.name]
                try repositories.clients.insert(tv)
                names.append(try repositories.clients.find(tv.id)?.name)
                try repositories.clients.update(changed)
                names.append(try repositories.clients.find(tv.id)?.name)
                _ = try repositories.clients.remove(tv.id)
                names.append(try repositories.clients.find(tv.id)?.name)
                try repositories.clients.insert(tv)
                return names
            }
            #expect(try await first == [nil, tv.name, "Renamed", nil])
            // Many at once share a batch.
            let removals = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await store.change { repositories in
                            guard try repositories.clients.find(tv.id) != nil else { return false }
                            return try repositories.clients.remove(tv.id)
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(removals.count(where: { $0 }) == 1)
        }
    }

    private func find(_ name: String, in batch: BatchCache, counting looked: inout Int) -> Client? {
        batch.prefetched.client(ClientID(name)) {
            looked += 1
            return name == "tv" ? tv : nil
        }
    }
}
