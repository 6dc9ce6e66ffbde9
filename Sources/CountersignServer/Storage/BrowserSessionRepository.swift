public import Countersign
public import Foundation

/// The browsers in which somebody is signed in at this server.
public protocol BrowserSessionRepository {
    func insert(_ session: BrowserSession) throws
    func find(_ cookie: SecretDigest) throws -> BrowserSession?
    /// Removes one session, if it exists.
    func remove(_ cookie: SecretDigest) throws
    /// Removes every session of a person.
    func removeAll(of subject: Subject) throws
    /// Removes at most `limit` sessions that expired before `instant`; returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}
