#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension Repositories {
    /// Appends an audit entry, in the same change as the event that it describes.
    package func record(_ facts: AuditEntry.Facts) throws {
        try audit.append(AuditEntry(facts, after: try audit.head()))
    }

    /// Removes the oldest entries of the audit that were made before `instant`, at most `limit`; returns how many.
    ///
    /// An entry that is dated later than `now` was made while the clock was ahead. It is removed together with the
    /// first later entry that is old enough, so that it does not hold back the entries after it. After ten pages of
    /// `limit` entries the search ends: while the clock is behind, every entry is dated later.
    package func sweepAudit(before instant: Date, at now: Date, limit: Int) throws -> Int {
        var (seen, due, last) = (0, 0, 0)
        looking: while due < limit, seen < 10 * limit, case let page = try audit.entries(after: last, limit: limit),
            !page.isEmpty
        {
            for entry in page {
                guard entry.facts.at < instant || entry.facts.at > now else { break looking }
                seen += 1
                if entry.facts.at < instant { due = seen }
            }
            last = page[page.count - 1].number
        }
        // The number to remove is decided here; the store need not check the dates again.
        return due == 0 ? 0 : try audit.sweep(before: .distantFuture, limit: min(due, limit))
    }
}
