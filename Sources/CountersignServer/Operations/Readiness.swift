internal import NIOConcurrencyHelpers

/// The readiness of the server for requests.
struct Readiness: Sendable {
    private let store: any Store
    /// The caching store, which records whether the last change succeeded.
    private let cache: CachingStore
    private let clock: TimeSource
    /// The end of the connections, from the moment that the server is not ready for good.
    let drain = ConnectionDrain()
    private let state = NIOLockedValueBox(State())
    /// The lifetime of an answer, so that frequent checks do not load the store.
    private static let lifetime: Duration = .seconds(1)
    /// The longest wait of a change, the same as in the queue of the store.
    private static let longestWait = StoreQueue.longestWait

    private typealias Waiter = CheckedContinuation<UnreadyReason?, Never>

    private struct Answer {
        let at: ContinuousClock.Instant
        let unreadyReason: UnreadyReason?
    }

    private struct State {
        var last: Answer?
        /// The start of the running check; `nil` for none.
        var lookingSince: ContinuousClock.Instant?
        /// The callers that wait for the first answer.
        var waiters: [Waiter] = []
    }

    /// The next step for a caller.
    private enum Step {
        case tell(UnreadyReason?)
        case awaitFirstAnswer
        case look
    }

    /// Checks `store` itself, not its cache.
    init(store: any Store, behind cache: CachingStore, clock: TimeSource) {
        self.store = store
        self.cache = cache
        self.clock = clock
    }

    /// The reason not to send requests.
    enum UnreadyReason: String, Sendable, Equatable {
        /// The server is stopping, and completes its requests.
        case stopping
        /// The store does not answer, does not commit changes, or has no keys.
        case store
    }

    /// The current reason not to send requests, if there is one.
    func unreadyReason() async -> UnreadyReason? {
        guard !drain.hasBegun else { return .stopping }
        let now = clock.instant()
        switch state.withLockedValue({ Self.step(in: &$0, at: now) }) {
        case .tell(let unreadyReason): return unreadyReason
        case .awaitFirstAnswer: return await firstAnswer()
        case .look: break
        }
        let unreadyReason = await storeUnreadyReason()
        let waiters = state.withLockedValue { state -> [Waiter] in
            defer { state.waiters = [] }
            state.last = Answer(at: now, unreadyReason: unreadyReason)
            state.lookingSince = nil
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: unreadyReason) }
        return unreadyReason
    }

    private static func step(in state: inout State, at now: ContinuousClock.Instant) -> Step {
        if let last = state.last, now - last.at < lifetime { return .tell(last.unreadyReason) }
        guard let began = state.lookingSince else {
            state.lookingSince = now
            return .look
        }
        guard now - began < longestWait else { return .tell(.store) }
        // During a check, callers receive the previous answer.
        return state.last.map { Step.tell($0.unreadyReason) } ?? .awaitFirstAnswer
    }

    /// The first answer, which another caller determines.
    private func firstAnswer() async -> UnreadyReason? {
        await withCheckedContinuation { (waiter: Waiter) in
            let answer = state.withLockedValue { state -> Answer? in
                if state.last == nil { state.waiters.append(waiter) }
                return state.last
            }
            if let answer { waiter.resume(returning: answer.unreadyReason) }
        }
    }

    private func storeUnreadyReason() async -> UnreadyReason? {
        guard store.oldestChangeAge < Self.longestWait else { return .store }
        let hasKeys = try? await store.read { repositories in
            try repositories.serverKeys.all().contains { $0.purpose == .forms }
        }
        guard hasKeys == true, await takesChanges() else { return .store }
        return nil
    }

    /// Whether changes can be made; if the last one failed, another one is tried.
    private func takesChanges() async -> Bool {
        guard cache.isUnavailable else { return true }
        let key = RateCounterKey(CounterName("readiness"), of: "")
        let now = clock.now()
        return (try? await cache.change { _ = try $0.counts.add(1, to: key, lasting: 60, at: now) }) != nil
    }
}
