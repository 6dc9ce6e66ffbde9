/// Verifies the audit from one entry to the next, and finds where it was tampered with.
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
    /// - Throws: ``AuditBroken`` when the entry is not the one that was written there.
    public mutating func follow(_ entry: AuditEntry) throws(AuditBroken) {
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
    /// - Throws: ``AuditBroken`` when the last entry that was followed is another one.
    public func end(at head: AuditPosition) throws(AuditBroken) {
        guard head.number <= place.number else { throw .missing(place.number + 1) }
        guard head == place else { throw .headMismatch(place.number) }
    }
}

/// The place and the kind of tampering with the audit; all numbers are entry numbers.
public enum AuditBroken: Error, Sendable, Equatable, CustomStringConvertible {
    /// There is no entry of this number.
    case missing(Int)
    /// This entry is at a place where it does not belong.
    case outOfOrder(Int)
    /// This entry was changed after it was written.
    case changed(Int)
    /// This entry was changed into something that is no entry, or by a version that knows more.
    case unreadable(Int)
    /// This entry does not follow from the one before: one of the two was replaced.
    case notLinked(Int)
    /// This entry is not the one that was written last.
    case headMismatch(Int)
    /// The entries up to this one were removed before their time was over.
    case cut(Int)

    /// The finding, in a sentence for the operator.
    public var description: String {
        switch self {
        case .missing(let number): "Entry \(number) is missing."
        case .outOfOrder(let number): "Entry \(number) stands where it does not belong."
        case .changed(let number): "Entry \(number) was changed after it was written."
        case .unreadable(let number): "Entry \(number) cannot be read."
        case .notLinked(let number): "Entry \(number) does not follow from the one before: one of the two was replaced."
        case .headMismatch(let number): "Entry \(number) is not the one that was written last."
        case .cut(let number): "The entries up to \(number) were removed before their time was over."
        }
    }
}
