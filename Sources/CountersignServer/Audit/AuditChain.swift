/// Verifies the audit entry by entry, and locates tampering.
///
/// ```swift
/// var chain = AuditChain(from: anchor)
/// for entry in entries { try chain.follow(entry) }
/// try chain.end(at: head)
/// ```
public struct AuditChain: Sendable, Equatable {
    /// The last position of the valid part of the chain.
    public private(set) var place: AuditPosition

    /// Begins a verification.
    ///
    /// - Parameter anchor: The place of the last entry that was swept, from ``AuditRepository/anchor()``.
    public init(from anchor: AuditPosition) {
        place = anchor
    }

    /// Verifies the next entry.
    ///
    /// - Parameter entry: The entry after ``place``.
    /// - Throws: ``AuditError`` when the entry does not continue the chain.
    public mutating func follow(_ entry: AuditEntry) throws(AuditError) {
        guard entry.number == place.number + 1 else {
            throw entry.number > place.number ? .missing(place.number + 1) : .outOfOrder(entry.number)
        }
        guard entry.previous == place.hash else { throw .notLinked(entry.number) }
        guard AuditHash(of: entry.facts, number: entry.number, after: entry.previous) == entry.hash else {
            throw .changed(entry.number)
        }
        place = entry.place
    }

    /// Verifies that no entry is missing at the end.
    ///
    /// - Parameter head: The place of the last entry, from ``AuditRepository/head()``.
    /// - Throws: ``AuditError`` when the last verified entry is another one.
    public func end(at head: AuditPosition) throws(AuditError) {
        guard head.number <= place.number else { throw .missing(place.number + 1) }
        guard head == place else { throw .headMismatch(place.number) }
    }
}
