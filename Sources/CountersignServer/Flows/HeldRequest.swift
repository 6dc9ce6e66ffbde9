internal import CountersignWire
internal import FoundationEssentialsCompat

/// A request of a script or an app that is held until its answer changes.
///
/// Standard: RFC 9110 §13.1.2 (`If-None-Match`); RFC 7240 §4.3 for `Prefer: wait`.
struct HeldRequest: Sendable {
    /// The requests that are held open.
    let waiters: ChangeWaiters
    /// The subject of the answer.
    let topic: AwaitedTopic
    /// The sign-in of the app, whose earlier wait this one replaces; `nil`, the default, for a page.
    var owner: Grant.ID?
    /// The network address of the client; `nil` when the server sees none.
    let address: String?
    /// The instant when the time to wait is over.
    let end: ContinuousClock.Instant

    /// Waits until there is news.
    ///
    /// - Parameter look: Finds the news; `nil` while there is none.
    /// - Returns: The news; `nil` when the time is over without, or the wait has ended otherwise.
    func news<News>(in context: ServerRequestContext, _ look: () async throws -> News?) async throws -> News? {
        let presence = await ClientPresence.of(context.channel)
        while let waiting = waiters.begin(topic, of: owner, from: address, presence: presence) {
            defer { waiters.end(waiting, for: topic) }
            context.noteHeld()
            // Something may have changed before the wait began.
            if let news = try await look() { return news }
            guard !presence.hasLeft else { return nil }
            switch await waiting.end(until: end) {
            case .changed: continue
            case .timeOver: return try await look()
            case .superseded, .left: return nil
            }
        }
        return nil
    }
}

extension FlowServices {
    /// The end of a wait: when its time is over or, if that is earlier, at an instant that changes the answer.
    func end(of wait: WaitPreference, orAt change: Date?) -> ContinuousClock.Instant {
        let longest = Duration.seconds(min(wait.seconds, tokens.longestWait))
        let rest = change.map { Duration.seconds(max(0, $0.timeIntervalSince(clock.now()))) }
        return clock.instant() + min(longest, rest ?? longest)
    }
}
