internal import Countersign

/// Rights by name that one task of one process has at a time: in line within this process, by locked files between
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

    /// Runs `body` while nobody else does so for this name; does not wait for the others any longer than `patience`.
    ///
    /// - Throws: ``TokenStoreError`` `busy`, `CancellationError` before `body` begins, or what `body` throws.
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

    /// Asks again and again: waiting inside of the system would keep a thread from all other tasks.
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
