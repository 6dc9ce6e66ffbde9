/// The notes of the audit about denials that are no answer of a person, and about undone approvals.
enum ApprovalNote {
    /// The digits were wrong once too often.
    static let lastMiss = "the digits were wrong too often"
    /// The scope is only for people of a group.
    static let notInGroup = "the person is not in the group that the scope needs"
    /// The person has no way to authenticate as the client asked for it.
    static let unmet = "the person has no way to authenticate as the client asked for it"
    /// A person undid their approval on a page.
    static let undone = "undone"
    /// The screen that was signed in undid the approval: its client gave the tokens back within the minute.
    static let undoneAtScreen = "\(undone) at the screen"

    /// The place where a person undid their approval.
    static func undone(at place: ApproverPlace) -> String {
        [undone, place.audited].compactMap(\.self).joined(separator: " ")
    }
}
