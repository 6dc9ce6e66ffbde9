/// The rights of a person at the pages of administrators.
public enum PersonRole: String, Sendable, Hashable, CaseIterable {
    /// None: the person has an account.
    case user
    /// Helps people: sees them, signs them out, locks and unlocks them, and gives them links for a new password.
    case helpdesk
    /// Reads everything, and changes nothing.
    case auditor
    /// Does everything.
    case `operator`
}
