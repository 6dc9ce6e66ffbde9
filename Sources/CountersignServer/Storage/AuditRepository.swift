public import Foundation

/// What happened, in the order in which it did.
public protocol AuditRepository {
    /// The last entry's place in the chain; ``AuditPlace/beginning`` when there never was one.
    func head() throws -> AuditPlace
    /// The place of the last entry that was swept; ``AuditPlace/beginning`` when none was.
    func anchor() throws -> AuditPlace
    /// Adds an entry, which becomes the head.
    ///
    /// - Throws: ``StoreRefusal/alreadyExists`` when there is an entry of this number.
    func append(_ entry: AuditEntry) throws
    /// At most `limit` entries whose number is greater than `number`, by number.
    func entries(after number: Int, limit: Int) throws -> [AuditEntry]
    /// At most `limit` entries whose number is less than `number`, the latest first.
    func entries(before number: Int, limit: Int) throws -> [AuditEntry]
    /// Removes the oldest entries, at most `limit`, up to the first that was made at `instant` or later; the last one
    /// removed becomes the anchor. Returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}
