public import FoundationEssentialsCompat

/// The beginning and the end of the audit.
public struct AuditExtent: Sendable, Equatable {
    /// The number of the first remaining entry, or of the next entry of an empty audit.
    public let first: Int
    /// The time of that entry, or of the read of an empty audit.
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

    /// Verifies the age of all entries that were removed since the seal.
    ///
    /// A party with access to the database can remove the oldest entries and move the anchor, and the rest is a valid
    /// chain. But a removed entry is not older than the first entry at the time of the seal and, after the sealed head,
    /// not older than the seal.
    ///
    /// - Parameters:
    ///   - anchor: The place of the last entry that was swept, from ``AuditRepository/anchor()``.
    ///   - lifetime: The lifetime of entries, in seconds.
    ///   - now: The current time.
    /// - Throws: ``AuditError/cut(_:)`` when an entry was removed before its expiry.
    public func verify(
        beginningAfter anchor: AuditPosition, keptFor lifetime: TimeInterval, at now: Date
    ) throws(AuditError) {
        guard anchor.number >= first else { return }
        let made = anchor.number > number ? sealed : oldest
        guard now.timeIntervalSince(made) >= lifetime - Self.clockTolerance else { throw .cut(anchor.number) }
    }
}
