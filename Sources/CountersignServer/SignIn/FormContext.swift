/// The page that a person answers from, as it was shown to them.
///
/// The content of the form is not believed before ``ApprovalService/Step/decide(_:)`` has checked it, against the
/// ``ApprovalDelay`` that the request demands.
struct FormContext: Sendable {
    /// The sender of the form.
    let viewer: ApprovalDelay.Viewer
    /// The question that the page asks.
    let question: ApprovalDelay.Question
    /// The mark of when it was shown, as the form has it; `nil` for a form without one.
    let mark: String?
    /// The name of the browser; `nil` if unknown.
    var browser: String?
}
