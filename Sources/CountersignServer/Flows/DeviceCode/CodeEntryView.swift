/// `/activate`: a signed-in person types the code that a screen shows, or opens a request that waits for them.
struct CodeEntryView: Page {
    static let template = PageTemplate.codeEntry
    static let showsTimes = true

    /// The name of the person who is signed in.
    let personName: String
    /// The form field `form_token`.
    let formToken: String
    /// The text that was typed before.
    let userCode: String
    /// A message that is not a problem.
    let notice: LocalizedText?
    /// Why the last code was not accepted.
    let problem: LocalizedText?
    /// The pending requests that are addressed to the person, the latest first. The form for a code is shown in any
    /// case.
    let confirmations: [WaitingConfirmation]
    /// The sentence that introduces them.
    let awaitedLead: LocalizedText
    /// The address of the app that the browser returns to when the person has answered; the form field `redirect_uri`.
    let returning: String?
    /// The same for the form for a code, when the code is that of a link that named the app.
    let returningWithCode: String?
    /// The request of an app that named the person, if one waits.
    let question: BackchannelQuestion?
    let isAwaited: Bool
    /// Whether something stands before the form for a code.
    let isEntrySecond: Bool
    let heading: LocalizedText

    var title: LocalizedText { .title(heading, with: problem) }

    init(
        personName: String,
        formToken: String,
        userCode: String = "",
        notice: LocalizedText? = nil,
        problem: LocalizedText? = nil,
        confirmations: [WaitingConfirmation] = [],
        question: BackchannelQuestion? = nil,
        returning: UnverifiedReturnAddress? = nil,
        isCodeOfLink: Bool = false
    ) {
        self.personName = personName
        self.formToken = formToken
        self.userCode = userCode
        self.notice = notice
        self.problem = problem
        self.confirmations = confirmations
        let isForService = confirmations.allSatisfy { $0.app != nil }
        awaitedLead = .text(isForService ? .codeEntryAwaitedLead : .codeEntryStartedLead)
        self.returning = returning?.rawValue
        returningWithCode = isCodeOfLink ? returning?.rawValue : nil
        self.question = question
        isAwaited = !confirmations.isEmpty
        isEntrySecond = isAwaited || question != nil
        heading = .text(isEntrySecond ? .codeEntryAwaited : .codeEntryHeading)
    }

    /// The notice for a person who came by a link and said *This is not my screen* (`?not_mine=1`).
    static let notMyScreen = LocalizedText.text(.codeEntryNotMyScreen)
}
