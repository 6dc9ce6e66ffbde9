internal import Countersign
internal import CountersignWire

/// The answer that a person sent from a page about a stored request.
struct SentAnswer: Sendable {
    let answer: ProposedDecision.Answer
    /// The wish to be asked nothing more by the app, with a denial; `nil` for none.
    let objection: ProposedDecision.Objection?
    /// The digits that they typed; `nil` for none.
    let number: String?
    /// The chosen time of the sign-in; `nil` for none.
    let sessionTerm: SessionTerm?
    /// The mark of when the page was shown; `nil` for none.
    private let shownMark: String?
    /// The name of the browser; `nil` if unknown.
    private let browser: String?

    /// The decision that denies and mutes the app.
    private static let mute = "mute"

    /// Reads a form; `nil` for one without an answer.
    ///
    /// - Parameter software: The header `User-Agent` of the browser; `nil` for none.
    init?(_ form: Form, by software: String? = nil) {
        guard let decision = form["decision"] else { return nil }
        objection = decision == Self.mute ? .mute : nil
        guard let answer = objection == nil ? ProposedDecision.Answer(rawValue: decision) : .deny else { return nil }
        self.answer = answer
        number = form["number"].map { TypedText.folded($0) }.flatMap { $0.isEmpty ? nil : $0 }
        sessionTerm = SessionTermView.chosen(in: form)
        shownMark = form[ApprovalDelay.field]
        browser = BrowserName.of(software)
    }

    /// The page that it was sent from.
    func page(about stored: SignInExchangeRecord, shownTo viewer: ApprovalDelay.Viewer) -> FormContext {
        FormContext(viewer: viewer, question: .request(stored.id), mark: shownMark, browser: browser)
    }
}
