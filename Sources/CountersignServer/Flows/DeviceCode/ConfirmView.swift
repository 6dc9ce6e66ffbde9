internal import Countersign
internal import CountersignWire

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The page where a person decides: the code again, who asks for what, and how far each part can be believed.
struct ConfirmView: Page {
    static let template = PageTemplate.confirm

    /// The person who is signed in here, and will be signed in on the screen; `nil` for one who is not signed in here,
    /// but opened the link in a text message.
    let personName: String?
    /// The form field `form_token`.
    let formToken: String
    /// The code as screens show it, `XXXX-XXXX`, if the request is named by one; the form field `user_code`.
    let userCode: String?
    /// What the person should see where they started, too, if the app that named them sent something.
    let bindingMessage: String?
    /// How many digits the person has to type to approve, in words; `nil` for none.
    let numberDigits: LocalizedText?
    /// Why the number is asked for, where the screen shows it only now.
    let numberReason: LocalizedText?
    /// Why the last attempt failed.
    private(set) var problem: LocalizedText?
    /// Whether that was because of the number.
    private(set) var isNumberWrong = false
    /// The request's identifier if it is addressed to the person; the form field `request`.
    private(set) var requestID: String?
    /// The path to which the form is sent.
    private(set) var decisionPath = "/activate/decision"
    /// The link in a text message by which the person came; the form field `link`.
    private(set) var answerLink: String?
    /// The address of the app to which the browser returns afterwards; the form field `redirect_uri`.
    let returning: String?
    /// What is asked, in a sentence.
    let lead: LocalizedText
    /// The question that the person should ask themselves before they decide.
    let question: LocalizedText
    /// What to do when the answer is no.
    let advice: LocalizedText
    /// Who asks, from where, since when; in the order in which a person should read.
    let facts: [ShownFact]
    /// What it asks for.
    let permissions: [ShownPermission]
    /// When the request expires.
    let deadline: ShownTime
    /// How long that is from now, in words.
    let timeLeft: LocalizedText
    /// What is needed to confirm an approval with a passkey; `nil` where the approval alone is enough.
    let passkey: PasskeyConfirmationView?
    /// The path of the page where a passkey is added, from which the person comes back.
    let passkeyAddition: String
    /// What is needed where the person can approve only after a delay; `nil` where they can at once.
    var deliberation: ApprovalDelayView?

    var title: LocalizedText { problem == nil ? .text(.confirmTitle) : .problem(.text(.confirmTitle)) }

    /// Says that the number was not the right one.
    mutating func refuseNumber() {
        problem = .text(.confirmWrongNumber)
        isNumberWrong = true
    }

    /// Says that the approval came before the delay was over.
    mutating func refuseHaste() { problem = .text(.confirmTooEarly) }

    /// Lets the person answer by the link in a text message, by which they came.
    mutating func answer(by link: AnswerLink) {
        requestID = nil
        decisionPath = "/answer"
        answerLink = link.text
    }

    init(
        personName: String?,
        formToken: String,
        named: RequestReference,
        facts: [ShownFact],
        permissions: [ShownPermission],
        backchannel: BackchannelTerms? = nil,
        authenticator: AuthenticatorTerms? = nil,
        number: NumberToMatch? = nil,
        deadline: Date,
        confirmedBy passkey: PasskeyConfirmationView? = nil,
        at now: Date
    ) {
        self.passkey = passkey
        passkeyAddition = PasskeysPage.address(returningTo: "/activate/confirm?\(named.query)")
        self.personName = personName
        self.formToken = formToken
        returning = named.returning?.rawValue
        switch named.name {
        case .code(let code):
            (userCode, requestID) = (code.description, nil)
        case .addressed(let id):
            (userCode, requestID) = (nil, id.rawValue)
        }
        bindingMessage = backchannel?.bindingMessage?.rawValue ?? authenticator?.message
        numberDigits = number.map { .counted($0.digits, .confirmDigits) }
        numberReason = number?.shown.map { _ in .text(.confirmNumberReason) }
        switch named.name {
        case .addressed where backchannel != nil || authenticator != nil:
            lead = .text(bindingMessage == nil ? .confirmLeadNamed : .confirmLeadMessage)
            question = .text(.confirmQuestionNow)
            advice = .text(.confirmAdviceNow)
        case .addressed:
            lead = .text(.confirmLeadAddressed)
            question = .text(.confirmQuestionAddressed)
            advice = .text(.confirmAdviceAddressed)
        case .code:
            // The same whether an app waits for the browser to return or not: an attacker may have named the app.
            lead = .text(.confirmLeadCode)
            question = .text(.confirmQuestionCode)
            advice = .text(.confirmAdviceCode)
        }
        self.facts = facts
        self.permissions = permissions
        self.deadline = ShownTime(deadline, at: now)
        timeLeft = ShownTime.span(deadline.timeIntervalSince(now))
    }
}
