/// The page from which a person answers, as it was shown to them.
///
/// What the form says is not believed before ``ApprovalService/Step/decide(_:)`` has checked it, against the
/// ``ApprovalDelay`` that the request demands.
struct ShownPage: Sendable {
    /// Who sends the form.
    let viewer: ApprovalDelay.Viewer
    /// What the page asks about.
    let question: ApprovalDelay.Question
    /// The mark of when it was shown, as the form has it; `nil` for a form without one.
    let mark: String?
}
