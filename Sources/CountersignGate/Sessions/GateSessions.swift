internal import Countersign
internal import CountersignResource
internal import FoundationEssentialsCompat
internal import Logging
internal import NIOConcurrencyHelpers

/// The sessions of a gate: in memory, bounded in number, and checked at the server as often as the configuration says.
///
/// A request with a session that was checked lately needs no look-up elsewhere. Past half of the time the session is
/// checked behind its requests; past the whole time they wait for that.
final class GateSessions: Sendable {
    /// The time between two attempts while the server cannot be asked, in seconds.
    private static let pause: TimeInterval = 3

    private let times: GateConfiguration.Times
    private let files: SessionFiles
    private let check: SessionCheck
    private let clock: TimeSource
    private let logger: Logger
    private let memory: NIOLockedValueBox<Memory>

    private struct Memory: Sendable {
        var entries: SecondChanceCache<SecretDigest, Entry>
        var checks: [SecretDigest: Task<SessionFinding, Never>] = [:]
    }

    private struct Entry: Sendable {
        let digest: SecretDigest
        var session: GateSession
        /// The last check that the server answered; `nil` after a restart.
        var checked: CheckedSession?
        /// The last attempt that it did not answer.
        var tried: Date?
    }

    private enum Step {
        case answer(SessionFinding)
        case wait(Task<SessionFinding, Never>)
    }

    init(
        _ configuration: GateConfiguration,
        in files: SessionFiles,
        checking check: SessionCheck,
        clock: TimeSource,
        logger: Logger
    ) {
        times = configuration.times
        self.files = files
        self.check = check
        self.clock = clock
        self.logger = logger
        memory = NIOLockedValueBox(Memory(entries: SecondChanceCache(capacity: configuration.mostSessions)))
    }

    /// Takes the sessions of the former process in; those whose time is over are removed.
    func restore() {
        let now = clock.now()
        for (digest, session) in files.all() {
            guard session.ends > now else {
                files.remove(digest)
                continue
            }
            memory.withLockedValue { _ = $0.entries.put(Entry(digest: digest, session: session), for: digest) }
        }
    }

    /// Begins a session, in place of one that gives way to it if there are too many.
    func begin(_ checked: CheckedSession, for cookie: SessionCookie) {
        let digest = cookie.digest
        files.put(checked.session, for: digest)
        let entry = Entry(digest: digest, session: checked.session, checked: checked)
        let displaced = memory.withLockedValue { memory in memory.entries.put(entry, for: digest)?.value }
        guard let displaced else { return }
        files.remove(displaced.digest)
        logger.notice("a session gave way to another", metadata: ["place": "\(displaced.session.place)"])
    }

    /// Ends a session, and returns it; `nil` when there is none.
    func end(_ cookie: SessionCookie) -> GateSession? { end(cookie.digest) }

    private func end(_ digest: SecretDigest) -> GateSession? {
        let ended = memory.withLockedValue { memory in
            let entry = memory.entries.peek(digest)
            memory.entries.remove(digest)
            return entry?.session
        }
        if ended != nil { files.remove(digest) }
        return ended
    }

    /// Finds a session of a place, checked as lately as the configuration says.
    ///
    /// - Parameter isFresh: Whether it is checked now in any case.
    func find(_ cookie: SessionCookie, at place: String, freshly isFresh: Bool = false) async -> SessionFinding {
        let digest = cookie.digest
        let step = memory.withLockedValue { self.step(for: digest, at: place, freshly: isFresh, in: &$0) }
        switch step {
        case .answer(let finding): return finding
        case .wait(let task): return await task.value
        }
    }

    private func step(
        for digest: SecretDigest, at place: String, freshly isFresh: Bool, in memory: inout Memory
    ) -> Step {
        let now = clock.now()
        guard let entry = memory.entries.use(digest), entry.session.place == place else { return .answer(.nobody) }
        guard entry.session.ends > now else { return .answer(.nobody) }
        let age = entry.checked.map { now.timeIntervalSince($0.checked) }
        // A clock that was set back makes no session younger.
        if let checked = entry.checked, let age, age >= 0, !isFresh {
            if age < times.recheck / 2 { return .answer(.good(checked)) }
            if age < times.recheck {
                _ = begin(digest, in: &memory)
                return .answer(.good(checked))
            }
        }
        if let tried = entry.tried, (0..<Self.pause).contains(now.timeIntervalSince(tried)), !isFresh {
            return .answer(away(entry, at: now))
        }
        return .wait(begin(digest, in: &memory))
    }

    /// The finding while the server cannot be asked.
    private func away(_ entry: Entry, at now: Date) -> SessionFinding {
        guard let checked = entry.checked,
            (0..<max(times.away, times.recheck)).contains(now.timeIntervalSince(checked.checked))
        else { return .unavailable }
        return .good(checked)
    }

    private func begin(_ digest: SecretDigest, in memory: inout Memory) -> Task<SessionFinding, Never> {
        if let task = memory.checks[digest] { return task }
        // An unstructured task: many requests wait for it, and each may end.
        let task = Task { await self.settle(digest) }
        memory.checks[digest] = task
        return task
    }

    private func settle(_ digest: SecretDigest) async -> SessionFinding {
        guard let entry = memory.withLockedValue({ $0.entries.peek(digest) }) else { return finish(digest, .nobody) }
        let begun = clock.now()
        let outcome = await check.check(entry.session)
        switch outcome {
        case .good(let session, let facts):
            let checked = CheckedSession(session: session, facts: facts, checked: begun)
            replace(entry, by: Entry(digest: digest, session: session, checked: checked), for: digest)
            return finish(digest, .good(checked))
        case .ended(let reason):
            _ = end(digest)
            logger.info("a session ended", metadata: ["reason": "\(reason)"])
            return finish(digest, .nobody)
        case .away(let session, let reason):
            logger.warning("the server cannot be asked about a session", metadata: ["reason": "\(reason)"])
            var later = entry
            (later.session, later.tried) = (session, clock.now())
            replace(entry, by: later, for: digest)
            return finish(digest, away(later, at: clock.now()))
        }
    }

    /// Replaces an entry, unless its session has ended meanwhile.
    private func replace(_ former: Entry, by new: Entry, for digest: SecretDigest) {
        let isThere = memory.withLockedValue { memory in
            guard memory.entries.peek(digest) != nil else { return false }
            memory.entries.put(new, for: digest)
            return true
        }
        if isThere, new.session != former.session { files.put(new.session, for: digest) }
    }

    private func finish(_ digest: SecretDigest, _ finding: SessionFinding) -> SessionFinding {
        memory.withLockedValue { $0.checks[digest] = nil }
        return finding
    }
}

/// The session that a cookie names.
enum SessionFinding: Sendable, Equatable {
    /// There is none, or it has ended.
    case nobody
    case good(CheckedSession)
    /// The server cannot be asked, and the last answer is too old.
    case unavailable
}
