internal import Countersign
internal import NIOConcurrencyHelpers

/// A lock per key for the tasks of this process: one task holds it, the others wait in order.
package final class KeyedLock<Key: Hashable & Sendable>: Sendable {
    /// The lock did not become free in time.
    package struct TimeoutError: Error {}

    /// A task in the queue.
    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    /// The result of entering the queue.
    private enum Entry { case acquired, cancelled, waiting }

    /// The queues of all keys.
    private struct State {
        /// The queue behind the holder of each key; no queue where the lock is free.
        var queues: [Key: [Waiter]] = [:]
        var waitersEver = 0
    }

    private let state = NIOLockedValueBox(State())

    /// A lock that is free for every key.
    package init() {}

    /// Returns when the caller holds the lock, which it has to give back by ``release(_:)``.
    ///
    /// - Parameter limit: Returns when waiting should end; without it the wait has no bound.
    /// - Throws: ``TimeoutError``, or `CancellationError` at once when the task is cancelled.
    package func acquire(_ key: Key, noLongerThan limit: (@Sendable () async throws -> Void)? = nil) async throws {
        try Task.checkCancellation()
        guard !acquireAtOnce(key) else { return }
        let number = state.withLockedValue { state in
            state.waitersEver += 1
            return state.waitersEver
        }
        var timer: Task<Void, Never>?
        defer { timer?.cancel() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enter(key, Waiter(number: number, continuation: continuation))
                // Started last: it has to find the waiter in the queue.
                timer = limit.map { limit in
                    Task {
                        guard (try? await limit()) != nil else { return }
                        self.leave(key, number, TimeoutError())
                    }
                }
            }
        } onCancel: {
            leave(key, number, CancellationError())
        }
    }

    /// Gives the lock to the first waiter in the queue, if there is one.
    package func release(_ key: Key) {
        let next: Waiter? = state.withLockedValue { state in
            guard let queue = state.queues[key], !queue.isEmpty else {
                state.queues[key] = nil
                return nil
            }
            return state.queues[key]?.removeFirst()
        }
        next?.continuation.resume()
    }

    /// The number of tasks that wait, for tests.
    package func waiting(for key: Key) -> Int {
        state.withLockedValue { $0.queues[key]?.count ?? 0 }
    }

    /// Takes the lock if it is free.
    private func acquireAtOnce(_ key: Key) -> Bool {
        state.withLockedValue { state in
            guard state.queues[key] == nil else { return false }
            state.queues[key] = []
            return true
        }
    }

    /// Puts a waiter into the queue; resumes it if the lock is free by now, or its task is cancelled.
    private func enter(_ key: Key, _ waiter: Waiter) {
        let entry: Entry = state.withLockedValue { state in
            // Looked at under the lock: a cancellation from now on finds the waiter in the queue.
            if Task.isCancelled { return .cancelled }
            guard state.queues[key] != nil else {
                state.queues[key] = []
                return .acquired
            }
            state.queues[key]?.append(waiter)
            return .waiting
        }
        switch entry {
        case .acquired: waiter.continuation.resume()
        case .cancelled: waiter.continuation.resume(throwing: CancellationError())
        case .waiting: break
        }
    }

    /// Takes a waiter out of the queue and resumes it with an error, unless it has got the lock.
    private func leave(_ key: Key, _ number: Int, _ reason: any Error) {
        let left: Waiter? = state.withLockedValue { state in
            guard let place = state.queues[key]?.firstIndex(where: { $0.number == number }) else { return nil }
            return state.queues[key]?.remove(at: place)
        }
        left?.continuation.resume(throwing: reason)
    }
}

/// Locks by name that one task of one process holds at a time: by a ``KeyedLock`` within this process, and by locked
/// files between processes.
struct CrossProcessLocks: Sendable {
    /// The pauses between two attempts at a file that another process has locked.
    private static let (shortestPause, longestPause) = (Duration.milliseconds(2), Duration.milliseconds(100))

    let directory: PrivateDirectory
    let clock: TimeSource
    private let tasks = KeyedLock<String>()

    /// Locks whose files are in `directory`, which is created on demand.
    init(in directory: PrivateDirectory, clock: TimeSource) {
        self.directory = directory
        self.clock = clock
    }

    /// Runs `body` while no other task or process does so for this name.
    ///
    /// - Throws: ``TokenStoreError`` `busy` when the lock is not free within `timeout`, `CancellationError` before
    ///   `body` begins, or what `body` throws.
    func holding<Value: Sendable>(
        _ name: String,
        timeout: Duration,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let end = clock.instant() + timeout
        do {
            try await tasks.acquire(name) { [clock] in try await clock.sleep(until: end) }
        } catch is KeyedLock<String>.TimeoutError {
            throw TokenStoreError(.busy, because: "\(name) is held by another task for \(timeout)")
        }
        defer { tasks.release(name) }
        let lock = try await lock(name, until: end)
        defer { lock.release() }
        return try await body()
    }

    /// Polls the file: a call that blocks would keep its thread from all other tasks.
    private func lock(_ name: String, until end: ContinuousClock.Instant) async throws -> FileLock {
        try TokenStoreError.translating { () throws(PrivateFileError) in try directory.make() }
        let path = directory.at(name)
        var pause = Self.shortestPause
        while true {
            let lock = try TokenStoreError.translating { () throws(PrivateFileError) in try FileLock.attempt(path) }
            if let lock { return lock }
            let now = clock.instant()
            guard now < end else {
                throw TokenStoreError(.busy, because: "\(FileLock.holder(of: path)) holds \(path)")
            }
            try await clock.sleep(until: min(now + pause, end))
            pause = min(pause * 2, Self.longestPause)
        }
    }
}
