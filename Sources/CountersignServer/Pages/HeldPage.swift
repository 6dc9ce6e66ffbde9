internal import HTTPTypes
internal import Hummingbird

/// The request of a script that is held until its page shows something new.
///
/// Standard: RFC 9110 §13.1.2 (`If-None-Match`); RFC 7240 §4.3 for `Prefer: wait`.
struct HeldPage: Sendable {
    /// The requests that are held open.
    let waiters: ChangeWaiters
    /// The subject of the page.
    let topic: AwaitedTopic
    /// The network address of the browser; `nil` when the server sees none.
    let address: String?
    /// The instant when the time to wait is over.
    let end: ContinuousClock.Instant

    /// Waits until there is news.
    ///
    /// - Parameter look: Finds the news; `nil` while there is none.
    /// - Returns: The news; `nil` when the time is over without, or the wait has ended otherwise.
    func news<News>(in context: ServerRequestContext, _ look: () async throws -> News?) async throws -> News? {
        let presence = await ClientPresence.of(context.channel)
        while let waiting = waiters.begin(topic, from: address, presence: presence) {
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

extension PageRoutes {
    /// The answer to a browser whose page shows nothing new.
    func unchanged(_ tag: String) -> Response {
        var headers = PageHeaders.all(issuer)
        headers[.eTag] = tag
        return Response(status: .notModified, headers: headers)
    }
}
