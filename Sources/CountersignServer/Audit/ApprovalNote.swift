/// The notes of the audit about denials that are no answer of a person.
enum ApprovalNote {
    /// The digits were wrong once too often.
    static let lastMiss = "the digits were wrong too often"
    /// The person has no way to authenticate as the client asked for it.
    static let unmet = "the person has no way to authenticate as the client asked for it"
}
