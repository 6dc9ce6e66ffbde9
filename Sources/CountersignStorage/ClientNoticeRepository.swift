public import Countersign
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The notices that clients have still to receive: at most one for each matter.
public protocol ClientNoticeRepository {
    /// Keeps a notice. One of the same matter that is waiting begins anew, at the time of its next attempt.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func keep(_ notice: ClientNotice) throws
    /// Makes the notice of a matter due at `instant`, when it occurred, if there is one that waits for its first
    /// attempt.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func hasten(_ matter: ClientNotice.Matter, at instant: Date) throws
    /// Returns the notices that are due, the longest due first.
    ///
    /// - Parameters:
    ///   - instant: The latest due time.
    ///   - full: The clients whose notices are left out, at most 100.
    ///   - limit: The most that are returned.
    /// - Throws: The database's error, as ``Repositories`` says.
    func due(at instant: Date, exceptTo full: Set<ClientID>, limit: Int) throws -> [ClientNotice]
    /// Makes due at `now` what waits since before the clock was set back: what was attempted and waits longer than for
    /// any next attempt, and what was due when it occurred, which is yet to come. Returns how many there were.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - longest: The longest wait for a next attempt, in seconds.
    /// - Throws: The database's error, as ``Repositories`` says.
    @discardableResult
    func bringForward(to now: Date, waitingLongerThan longest: TimeInterval) throws -> Int
    /// Replaces the attempts of the notice of the same matter and time, when it is due, what is sealed in it, and its
    /// sign-in.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func update(_ notice: ClientNotice) throws
    /// Removes the notice of this matter, unless it occurred again since; returns whether there was one.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    @discardableResult
    func remove(_ notice: ClientNotice) throws -> Bool
}

extension ClientNoticeRepository {
    /// Returns the notices that are due at `instant`, whichever client is told, the longest due first, at most `limit`.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    public func due(at instant: Date, limit: Int) throws -> [ClientNotice] {
        try due(at: instant, exceptTo: [], limit: limit)
    }
}
