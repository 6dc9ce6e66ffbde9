public import FoundationEssentialsCompat

/// The notices that clients have not accepted yet: at most one for each event.
public protocol ClientNoticeRepository {
    /// Stores a notice in place of one of the same event; its attempts begin anew when the next one is due.
    func keep(_ notice: ClientNotice) throws
    /// Makes the notice of an event due at `instant`, the time of the event, if it was not attempted yet.
    func hasten(_ matter: ClientNotice.Matter, at instant: Date) throws
    /// Returns the notices that are due, the longest due first.
    ///
    /// - Parameters:
    ///   - instant: The latest due time.
    ///   - full: The clients whose notices are left out, at most 100.
    ///   - limit: The most that are returned.
    func due(at instant: Date, exceptTo full: Set<ClientID>, limit: Int) throws -> [ClientNotice]
    /// Makes notices due at `now` whose due time is too late because the clock was set back: it is after the next
    /// attempt of any notice, or the event is in the future. Returns their number.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - longest: The longest wait for a next attempt, in seconds.
    @discardableResult
    func bringForward(to now: Date, waitingLongerThan longest: TimeInterval) throws -> Int
    /// Replaces the attempts, the due time, the sealed secrets and the sign-in of the notice of the same event and
    /// time.
    func update(_ notice: ClientNotice) throws
    /// Removes the notice of this event, unless the event occurred again since; returns whether there was one.
    @discardableResult
    func remove(_ notice: ClientNotice) throws -> Bool
}

extension ClientNoticeRepository {
    /// Returns the notices to all clients that are due at `instant`, the longest due first, at most `limit`.
    public func due(at instant: Date, limit: Int) throws -> [ClientNotice] {
        try due(at: instant, exceptTo: [], limit: limit)
    }
}
