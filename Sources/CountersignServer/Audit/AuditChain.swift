/// Follows the audit from one entry to the next, and finds where it was tampered with.
///
///     var chain = AuditChain(from: anchor)
///     for entry in entries { try chain.follow(entry) }
///     try chain.end(at: head)
public struct AuditChain: Sendable, Equatable {
    /// The last place that was found to be sound.
    public private(set) var place: AuditPlace

    /// Begins after what was swept.
    public init(from anchor: AuditPlace) {
        place = anchor
    }

    /// Takes the next entry.
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

    /// Makes sure that nothing is missing at the end.
    public func end(at head: AuditPlace) throws(AuditBroken) {
        guard head.number <= place.number else { throw .missing(place.number + 1) }
        guard head == place else { throw .headMismatch(place.number) }
    }
}

/// Where the audit is not as it was written. All numbers are those of entries.
public enum AuditBroken: Error, Sendable, Equatable, CustomStringConvertible {
    case missing(Int)
    case outOfOrder(Int)
    case changed(Int)
    case notLinked(Int)
    case headMismatch(Int)

    public var description: String {
        switch self {
        case .missing(let number): "Entry \(number) is missing."
        case .outOfOrder(let number): "Entry \(number) stands where it does not belong."
        case .changed(let number): "Entry \(number) was changed after it was written."
        case .notLinked(let number): "Entry \(number) does not follow from the one before: one of the two was replaced."
        case .headMismatch(let number): "Entry \(number) is not the one that was written last."
        }
    }
}

extension Repositories {
    /// Follows the whole audit, and returns where it ends.
    ///
    /// - Throws: ``AuditBroken``, or what the store throws.
    public func verifyAudit() throws -> AuditPlace {
        var chain = AuditChain(from: try audit.anchor())
        while case let entries = try audit.entries(after: chain.place.number, limit: 1_000), !entries.isEmpty {
            for entry in entries { try chain.follow(entry) }
        }
        // What stands before the anchor was swept, and must be gone.
        if let stray = try audit.entries(after: .min, limit: 1).first, stray.number <= (try audit.anchor()).number {
            throw AuditBroken.outOfOrder(stray.number)
        }
        try chain.end(at: try audit.head())
        return chain.place
    }
}
