public import Foundation

/// The sessions that have ended, of which clients have still to be told: at most one notice for each session of a client.
public protocol LogoutNoticeRepository {
    /// Keeps a notice. One of the same session that is waiting begins anew, at the time of its next attempt.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func keep(_ notice: LogoutNotice) throws
    /// Returns the notices that are due at `instant`, the longest due first, at most `limit`.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func due(at instant: Date, limit: Int) throws -> [LogoutNotice]
    /// Replaces the attempts of the notice of the same session and end, and when it is due.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func update(_ notice: LogoutNotice) throws
    /// Removes the notice of this session, unless the session ended again since; returns whether there was one.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    @discardableResult
    func remove(_ notice: LogoutNotice) throws -> Bool
}
