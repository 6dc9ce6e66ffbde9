internal import Countersign

/// Named locks that one task of one process holds at a time: queues within this process, locked files between
/// processes.
struct Locks: Sendable {
    /// The rests between two attempts at a file that another process has locked.
    private static let (shortestRest, longestRest) = (Duration.milliseconds(2), Duration.milliseconds(100))

    let directory: PrivateDirectory
    let clock: TimeSource
    private let turns = Turns<String>()

    init(in directory: PrivateDirectory, clock: TimeSource) {
        self.directory = directory
        self.clock = clock
    }

    /// Runs `body` while no other task or process does so for this name.
    ///
    /// - Throws: ``TokenStoreError`` `busy` when the others take too long, `CancellationError` before `body` begins, or
    ///   what `body` throws.
    func holding<Value: Sendable>(
        _ name: String,
        waitingAtMost patience: Duration,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let end = clock.instant() + patience
        do {
            try await turns.begin(name) { [clock] in try await clock.sleep(until: end) }
        } catch is Turns<String>.TooLate {
            throw TokenStoreError(.busy, because: "\(name) is held by another task for \(patience)")
        }
        defer { turns.end(name) }
        let lock = try await lock(name, until: end)
        defer { lock.release() }
        return try await body()
    }

    /// Takes the file lock by polling, because waiting in the system would block a thread that other tasks need.
    private func lock(_ name: String, until end: ContinuousClock.Instant) async throws -> FileLock {
        try directory.make()
        let path = directory.at(name)
        var rest = Self.shortestRest
        while true {
            if let lock = try FileLock.attempt(path) { return lock }
            let now = clock.instant()
            guard now < end else {
                throw TokenStoreError(.busy, because: "\(FileLock.holder(of: path)) holds \(path)")
            }
            try await clock.sleep(until: min(now + rest, end))
            rest = min(rest * 2, Self.longestRest)
        }
    }
}
