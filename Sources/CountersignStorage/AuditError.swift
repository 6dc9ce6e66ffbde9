/// The place and the kind of tampering with the audit; all numbers are entry numbers.
public enum AuditError: Error, Sendable, Equatable, CustomStringConvertible {
    /// There is no entry of this number.
    case missing(Int)
    /// This entry is at the wrong place.
    case outOfOrder(Int)
    /// This entry was changed after it was written.
    case changed(Int)
    /// This entry cannot be parsed, or a newer version wrote it.
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
        case .outOfOrder(let number): "Entry \(number) is at the wrong place."
        case .changed(let number): "Entry \(number) was changed after it was written."
        case .unreadable(let number): "Entry \(number) cannot be read."
        case .notLinked(let number): "Entry \(number) does not follow from the one before: one of the two was replaced."
        case .headMismatch(let number): "Entry \(number) is not the one that was written last."
        case .cut(let number): "The entries up to \(number) were removed before their time was over."
        }
    }
}
