import CountersignRequester
import CountersignTesting
import NIOConcurrencyHelpers
import Testing

@Suite("The turn for what is kept under a key")
struct TokenStoreLockTests {
    let place = StoreDirectory()

    @Test func `is one task's at a time, over all stores of the group`() async throws {
        let stores: [any TokenStore] = [place.store(), place.store(), place.store()]
        try await counts(to: 24, through: stores)
        // No lock is left behind.
        #expect(try place.files == ["default.sealed", "key"])
    }

    @Test func `is one task's at a time in a store in memory`() async throws {
        let store = MemoryTokenStore()
        try await counts(to: 24, through: [store])
    }

    @Test func `does not keep those waiting who want another key`() async throws {
        let store = place.store()
        let value = try await store.exclusively(for: .example) {
            try await store.exclusively(for: .service) {
                try await store.save(.item("inside"), for: .example)
                return try await store.load(.example)
            }
        }
        #expect(value == .item("inside"))
    }

    @Test func `ends when the body throws`() async throws {
        struct InjectedFailure: Error {}
        let store = place.store()
        await #expect(throws: InjectedFailure.self) {
            try await store.exclusively(for: .example) { throw InjectedFailure() }
        }
        #expect(try await store.exclusively(for: .example) { true })
    }

    @Test func `is not waited for longer than the lock timeout of the store`() async throws {
        try await holding(.example) {
            for store in [place.store(lockTimeout: .milliseconds(50)), $0] {
                await #expect(throws: TokenStoreError(.busy, because: "")) {
                    try await store.exclusively(for: .example) {}
                }
            }
        }
    }

    @Test func `is not waited for by a task that is cancelled`() async throws {
        // The cancellation may come late on a busy machine.
        try await holding(.example, lockTimeout: .seconds(1200)) {
            for store in [place.store(), $0] {
                let waiting = Task { try await store.exclusively(for: .example) {} }
                waiting.cancel()
                await #expect(throws: CancellationError.self) { try await waiting.value }
            }
        }
    }

    /// Runs `body` while a task holds the lock of a key; passes it the store of that task.
    private func holding(
        _ key: TokenStoreKey,
        lockTimeout: Duration = .milliseconds(50),
        _ body: (SealedFileTokenStore) async throws -> Void
    ) async throws {
        let store = place.store(lockTimeout: lockTimeout)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let holder = Task {
            try await store.exclusively(for: key) {
                begin.finish()
                for await _ in ended {}
            }
        }
        for await _ in begun {}
        try await body(store)
        end.finish()
        try await holder.value
    }

    /// Adds one again and again, by reading and writing: whoever is overtaken in between loses a count.
    private func counts(to end: Int, through stores: [any TokenStore]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<end {
                let store = stores[number % stores.count]
                group.addTask {
                    try await store.exclusively(for: .example) {
                        let count = try await store.load(.example)?.first ?? 0
                        await Task.yield()
                        try await store.save([count + 1], for: .example)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await stores[0].load(.example) == [UInt8(end)])
    }
}

@Suite("A lock for each key")
struct KeyedLockTests {
    let lock = KeyedLock<String>()

    @Test func `is served in the order of arrival`() async throws {
        let order = NIOLockedValueBox<[Int]>([])
        try await lock.acquire("a")
        var waiting: [Task<Void, any Error>] = []
        for number in 1...5 {
            waiting.append(
                Task {
                    try await lock.acquire("a")
                    order.withLockedValue { $0.append(number) }
                    lock.release("a")
                }
            )
            while lock.waiting(for: "a") < number { await Task.yield() }
        }
        lock.release("a")
        for task in waiting { try await task.value }
        #expect(order.withLockedValue(\.self) == [1, 2, 3, 4, 5])
    }

    @Test func `goes on without those who leave`() async throws {
        let clock = ManualClock()
        try await lock.acquire("a")
        let impatient = Task {
            try await lock.acquire("a") { try await clock.sleep(for: .seconds(10)) }
        }
        await clock.sleepers()
        while lock.waiting(for: "a") < 1 { await Task.yield() }
        let cancelled = Task { try await lock.acquire("a") }
        while lock.waiting(for: "a") < 2 { await Task.yield() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        clock.advance(by: .seconds(10))
        await #expect(throws: KeyedLock<String>.TimeoutError.self) { try await impatient.value }

        lock.release("a")
        try await lock.acquire("a")
        try await lock.acquire("b")
    }
}
