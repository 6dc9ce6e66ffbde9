internal import Countersign
internal import CountersignResource
internal import FoundationEssentialsCompat
internal import Logging
internal import NIOConcurrencyHelpers

/// The sessions of a gate: in memory, bounded in number, and checked at the server as often as the configuration says.
///
/// A request with a session that was checked lately needs no look-up elsewhere. Past half of the time the session is
/// checked behind its requests; past the whole time they wait for that, but not again for a server that did not answer.
final class GateSessions: Sendable {
    /// The time after a failed attempt in which no request waits for the next one, in seconds.
    private static let outage: TimeInterval = 60

    private let times: GateConfiguration.Times
    private let files: SessionFiles
    private let check: SessionCheck
    private let clock: TimeSource
    private let logger: Logger
    private let memory: NIOLockedValueBox<Memory>

    private struct Memory: Sendable {
        var sessions: SessionMemory
        var checks: [SecretDigest: Task<SessionFinding, Never>] = [:]
    }

    private typealias Entry = SessionMemory.Entry

    private enum Step {
        case answer(SessionFinding)
        case wait(Task<SessionFinding, Never>)
        /// Its time is over.
        case end
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
        memory = NIOLockedValueBox(Memory(sessions: SessionMemory(capacity: configuration.mostSessions)))
    }

    /// Takes the sessions of the former process in, the newest last; those whose time is over, and too many, are removed.
    func restore() {
        let now = clock.now()
        for (digest, session) in files.all().sorted(by: { $0.value.ends < $1.value.ends }) {
            if session.ends > now {
                add(Entry(digest: digest, session: session), at: now)
            } else {
                files.remove(digest)
            }
        }
    }

    /// Begins a session, in place of one that gives way to it if there are too many.
    func begin(_ checked: CheckedSession, for cookie: SessionCookie) {
        let digest = cookie.digest
        files.put(checked.session, for: digest)
        add(Entry(digest: digest, session: checked.session, checked: checked), at: clock.now())
    }

    private func add(_ entry: Entry, at now: Date) {
        for former in memory.withLockedValue({ $0.sessions.add(entry, at: now) }) {
            files.remove(former.digest)
            guard former.session.ends > now else { continue }
            logger.notice("a session gave way to another", metadata: ["place": "\(former.session.place)"])
        }
    }

    /// Ends a session of a place, and returns it; `nil` when there is none.
    func end(_ cookie: SessionCookie, at place: String) -> GateSession? {
        let digest = cookie.digest
        guard memory.withLockedValue({ $0.sessions.peek(digest) })?.session.place == place else { return nil }
        return end(digest)
    }

    private func end(_ digest: SecretDigest) -> GateSession? {
        let ended = memory.withLockedValue { $0.sessions.remove(digest)?.session }
        if ended != nil { files.remove(digest) }
        return ended
    }

    /// Finds a session of a place, checked as lately as the configuration says.
    ///
    /// - Parameter isFresh: Whether it is checked in any case, by a check that begins from now on.
    func find(_ cookie: SessionCookie, at place: String, freshly isFresh: Bool = false) async -> SessionFinding {
        let digest = cookie.digest
        // A check that runs may have asked the server before the person signed out there.
        if isFresh, let running = memory.withLockedValue({ $0.checks[digest] }) { _ = await running.value }
        let step = memory.withLockedValue { self.step(for: digest, at: place, freshly: isFresh, in: &$0) }
        switch step {
        case .answer(let finding): return finding
        case .wait(let task): return await task.value
        case .end:
            _ = end(digest)
            return .nobody
        }
    }

    private func step(
        for digest: SecretDigest, at place: String, freshly isFresh: Bool, in memory: inout Memory
    ) -> Step {
        let now = clock.now()
        guard let entry = memory.sessions.use(digest), entry.session.place == place else { return .answer(.nobody) }
        guard entry.session.ends > now else { return .end }
        guard !isFresh else { return .wait(begin(digest, in: &memory)) }
        let isPaused = entry.wasTried(within: GateProvider.pause, of: now)
        if let checked = entry.checked {
            let age = now.timeIntervalSince(checked.checked)
            // A clock that was set back makes no session younger.
            if (0..<times.recheck).contains(age) {
                if age >= times.recheck / 2, !isPaused { _ = begin(digest, in: &memory) }
                return .answer(.good(checked))
            }
        }
        let finding = away(entry, at: now)
        if isPaused { return .answer(finding) }
        let task = begin(digest, in: &memory)
        guard case .good = finding, entry.wasTried(within: Self.outage, of: now) else { return .wait(task) }
        return .answer(finding)
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
        guard let entry = memory.withLockedValue({ $0.sessions.peek(digest) }) else { return finish(digest, .nobody) }
        let begun = clock.now()
        let outcome = await check.check(entry.session)
        switch outcome {
        case .good(let session, let facts):
            let checked = CheckedSession(session: session, facts: facts, checked: begun)
            let isThere = replace(entry, by: Entry(digest: digest, session: session, checked: checked))
            return finish(digest, isThere ? .good(checked) : .nobody)
        case .ended(let reason):
            _ = end(digest)
            logger.info("a session ended", metadata: ["reason": "\(reason)"])
            return finish(digest, .nobody)
        case .away(let session, let reason):
            logger.warning("the server cannot be asked about a session", metadata: ["reason": "\(reason)"])
            var later = entry
            (later.session, later.tried) = (session, clock.now())
            let isThere = replace(entry, by: later)
            return finish(digest, isThere ? away(later, at: clock.now()) : .nobody)
        }
    }

    /// Replaces an entry; returns `false` where its session has ended meanwhile.
    private func replace(_ former: Entry, by new: Entry) -> Bool {
        guard memory.withLockedValue({ $0.sessions.replace(by: new) }) else { return false }
        guard new.session != former.session else { return true }
        files.put(new.session, for: new.digest)
        // A session that ended while it was written leaves no file.
        guard memory.withLockedValue({ $0.sessions.peek(new.digest) }) == nil else { return true }
        files.remove(new.digest)
        return false
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
