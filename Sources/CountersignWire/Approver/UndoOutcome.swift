/// The outcome of undoing an approval.
public enum UndoOutcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// The approval does not count any more; the tokens that came of it are revoked.
    case undone
    /// The minute for it is over.
    case tooLate = "too_late"
    /// The asking site has the approval, and is not told of changes.
    case delivered
    /// There is no such approval of the person, or it has ended.
    case nothing
}
