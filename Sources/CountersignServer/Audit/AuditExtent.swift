#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The beginning and the end of the audit.
public struct AuditExtent: Sendable, Equatable {
    /// The number of the first entry that is left; that of the next entry when none is left.
    public let first: Int
    /// The time of that entry, or of the look when none is left.
    public let oldest: Date
    /// The place of the last entry.
    public let head: AuditPosition

    package init(first: Int, oldest: Date, head: AuditPosition) {
        self.first = first
        self.oldest = oldest
        self.head = head
    }
}

extension AuditSealKey.SealedHead {
    /// The largest difference between the clocks of a sweep and of a verification, in seconds.
    private static let clockTolerance: TimeInterval = 300

    /// Verifies that every entry that was removed since then was old enough for it.
    ///
    /// A party that can write the database can remove its oldest entries and move its anchor, and what is left is a
    /// sound chain. The date of a removed entry is gone with it. But it was not made before the entry that was the
    /// first at the time of the seal and, if it came after the sealed head, not before the seal.
    ///
    /// - Parameters:
    ///   - anchor: The place of the last entry that was swept, from ``AuditRepository/anchor()``.
    ///   - lifetime: The lifetime of entries, in seconds.
    ///   - now: The current time.
    /// - Throws: ``AuditError/cut(_:)`` when an entry was removed before its time was over.
    public func verify(
        beginningAfter anchor: AuditPosition,
        keptFor lifetime: TimeInterval,
        at now: Date
    ) throws(AuditError) {
        guard anchor.number >= first else { return }
        let made = anchor.number > number ? sealed : oldest
        guard now.timeIntervalSince(made) >= lifetime - Self.clockTolerance else { throw .cut(anchor.number) }
    }
}
