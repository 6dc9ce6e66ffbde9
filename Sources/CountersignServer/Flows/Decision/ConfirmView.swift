internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import Hummingbird

/// The page where a person decides: who asks for what, how far each part can be believed, and one thing to compare.
struct ConfirmView: Page {
    static let template = PageTemplate.confirm
    static let showsTimes = true

    /// The person who is signed in here, and will be signed in on the screen; `nil` for one who is not signed in here,
    /// but opened the link in a text message.
    let personName: String?
    let heading: LocalizedText
    /// The form field `form_token`.
    let formToken: String
    /// The code as screens write it, `XXXX-XXXX`, if the request is named by one; the form field `user_code`.
    let userCode: String?
    /// The code, for a person who has to compare it with the screen; `nil` for everybody else.
    let comparedCode: String?
    /// The message that the person has to see where they started, too; `nil` for none.
    let comparedMessage: String?
    /// The number of digits that the person has to type to approve, in words; `nil` for none.
    let numberDigits: LocalizedText?
    /// The place where an approval is enough, for a page that can only deny; `nil` where it can approve.
    let obstacle: LocalizedText?
    /// Whether the person can only deny until they signed in with their password or a passkey.
    let lacksPassword: Bool
    /// Whether they can only deny until they signed in with two factors.
    let lacksSecondFactor: Bool
    /// The path of the page where they sign in again; they come back from it.
    let signInAgain: String
    /// Why the last attempt failed.
    private(set) var problem: LocalizedText?
    /// Whether that was because of the number.
    private(set) var isNumberWrong = false
    /// The request's identifier if it is addressed to the person; the form field `request`.
    private(set) var requestID: String?
    /// The path that the form is sent to.
    private(set) var decisionPath = "/activate/decision"
    /// The link in a text message that the person came by; the form field `link`.
    private(set) var answerLink: String?
    /// The address of the app that the browser returns to afterwards; the form field `redirect_uri`.
    let returning: String?
    /// The sentence that says what is asked.
    let lead: LocalizedText
    /// The sentence before the thing to compare, for a program, whose lead does not speak of it; `nil` for none.
    let comparison: LocalizedText?
    /// The question that the person should ask themselves before they decide.
    let question: LocalizedText
    /// The advice for a person whose answer is no.
    let advice: LocalizedText
    /// The facts that matter first: who asks, and from where.
    let facts: [FactLine]
    /// The other facts about the request, folded.
    let details: [FactLine]
    /// The permissions that it asks for.
    let permissions: [PermissionLine]
    /// Whether a browser asks for a session, and no app for permissions.
    let opensSession: Bool
    /// The times to choose from for the sign-in; empty for requests without a choice.
    let sessionTerms: [SessionTermView]
    /// The label of that field.
    let sessionQuestion: LocalizedText
    /// The end of the person's own session, and of what they approve in it; `nil` for one that does not end by itself,
    /// and for a request that gives nothing that could end.
    let sessionLimit: TimeDisplay?
    /// Whether the asking screen remembers the person, which no choice of a time ends.
    let isRemembered: Bool
    /// The expiry of the request.
    let deadline: TimeDisplay
    /// The time until then, in words.
    let timeLeft: LocalizedText
    /// The data for confirming an approval with a passkey; `nil` where the approval alone is enough.
    let passkey: PasskeyConfirmationView?
    /// Whether the person can mute the app: not where they started the request, which no mute stops.
    private(set) var offersMute: Bool
    /// Whether the person can approve here: not while the passkey is missing that an approval needs.
    let offersApproval: Bool
    /// The path of the page for adding a passkey; the person comes back from it.
    let passkeyAddition: String
    /// The data for an approval after a delay; `nil` where the person can approve at once.
    var deliberation: ApprovalDelayView?
    /// The entity tag for the script that waits until the request is over.
    let tag: String

    var title: LocalizedText { .title(heading, with: problem) }

    /// The query of the page's address after a wrong number.
    static let wrongNumber = "\(numberField)=\(wrong)"
    private static let (numberField, wrong) = ("number", "wrong")

    /// Says why the last approval was refused, by the query of the page's address.
    mutating func showProblem(of request: Request) {
        let query = request.uri.queryParameters
        if query[Self.numberField[...]] == Self.wrong[...] {
            refuseNumber()
        } else if query[ApprovalDelay.early[...]] != nil, deliberation != nil {
            refuseHaste()
        }
    }

    mutating func refuseNumber() {
        problem = .text(.confirmWrongNumber)
        isNumberWrong = true
    }

    /// Says that the approval came before the delay was over.
    mutating func refuseHaste() { problem = .text(.confirmTooEarly) }

    private static let digits = LocalizedText.counted(VerificationNumber.length, .confirmDigits)

    /// Lets the person answer by the link in a text message that they came by.
    mutating func answer(by link: AnswerLink) {
        (requestID, offersMute) = (nil, false)
        decisionPath = "/answer"
        answerLink = link.text
    }

    /// The request as the page describes it.
    struct Content {
        let facts: [FactLine]
        let details: [FactLine]
        let permissions: [PermissionLine]
        let method: SignInMethod
        var comparison = Comparison.nothing
        /// The reason why no approval on the page is enough; `nil` where one is.
        var obstacle: Policy.ViolationError?
        /// Whether the person started the request, by their code that was typed on the screen.
        var isStartedByCode = false
        let deadline: Date
        /// The entity tag of the page.
        let tag: String
        /// The times to choose from for the sign-in.
        var sessionTerms: [SessionTerm] = []
        /// The suggested one.
        var sessionTerm = SessionTerm.own
        /// The end of the person's own session, if it was chosen.
        var sessionLimit: Date?
        /// Whether the asking screen remembers the person.
        var isRemembered = false
        /// The program that asks to act for the person; `nil` for a screen or app of theirs.
        var service: GuestService?
    }

    /// The one thing by which the person ties the page to the place where they started.
    enum Comparison: Sendable {
        /// Nothing: they typed the code, or there is none.
        case nothing
        /// The code, which the screen shows.
        case code
        /// The message of the party that named them.
        case message(String)
        /// The number of a screen that is not in their network.
        case numberOfScreen
        /// The number of a screen whose request demands one, however the person came.
        case demandedNumber
        /// The number that is shown where they started.
        case number
    }

    /// The sentence before the thing to compare with a program; `nil` for a number, which its field explains.
    private static func comparison(of content: Content) -> LocalizedText? {
        switch content.comparison {
        case .code: .text(.confirmServiceCode)
        case .message: .text(.confirmServiceMessage)
        case .nothing where content.isStartedByCode: .text(.confirmServiceStarted)
        case .nothing, .number, .numberOfScreen, .demandedNumber: nil
        }
    }

    init(
        personName: String?,
        formToken: String,
        named: RequestReference,
        _ content: Content,
        confirmedBy passkey: PasskeyConfirmationView? = nil,
        at now: Date
    ) {
        self.passkey = passkey
        offersApproval = content.obstacle == nil && (passkey == nil || passkey?.passkeyOptions != nil)
        let page = "/activate/confirm?\(named.query)"
        passkeyAddition = PasskeysPage.address(returningTo: page)
        signInAgain = PageRoutes.signInAgain(before: page, because: .anotherWay)
        self.personName = personName
        self.formToken = formToken
        returning = named.returning?.rawValue
        switch named.name {
        case .code(let code):
            (userCode, requestID) = (code.description, nil)
        case .addressed(let id):
            (userCode, requestID) = (nil, id.rawValue)
        }
        offersMute = requestID != nil && !content.isStartedByCode
        heading = .text(content.method.browser?.purpose == .passwordReset ? .confirmResetTitle : .confirmTitle)
        var (code, message, digits): (String?, String?, LocalizedText?)
        let screen: TextKey
        switch content.comparison {
        case .nothing: screen = .confirmLeadScreen
        case .code: (screen, code) = (.confirmLeadCode, userCode)
        case .message(let words): (screen, message) = (.confirmLeadScreen, words)
        case .number: (screen, digits) = (.confirmLeadScreen, Self.digits)
        case .numberOfScreen: (screen, digits) = (.confirmLeadNumber, Self.digits)
        case .demandedNumber: (screen, digits) = (.confirmLeadDemanded, Self.digits)
        }
        (comparedCode, comparedMessage, numberDigits) = (code, message, digits)
        comparison = content.service.flatMap { _ in Self.comparison(of: content) }
        switch content.method {
        case _ where content.service != nil:
            // A program need not be on a screen in front of the person.
            lead = .text(.confirmService)
            question = .text(.confirmQuestionNow)
            advice = .text(.confirmAdviceNow)
        case .backchannel, .customerSite:
            lead = .text(message == nil ? .confirmLeadNamed : .confirmLeadMessage)
            question = .text(.confirmQuestionNow)
            advice = .text(.confirmAdviceNow)
        case .singleSignOn, .authorizationCode, .immediateGrant:
            lead = .text(.confirmLeadAddressed)
            question = .text(.confirmQuestionAddressed)
            advice = .text(.confirmAdviceAddressed)
        case .browserSession(_, let terms) where terms.purpose == .passwordReset:
            lead = .text(.confirmLeadReset)
            question = .text(.confirmQuestionReset)
            advice = .text(.confirmAdviceStarted)
        case .deviceCode where content.isStartedByCode, .browserSession where content.isStartedByCode:
            lead = .text(.confirmLeadStarted)
            question = .text(.confirmQuestionStarted)
            advice = .text(.confirmAdviceStarted)
        case .browserSession:
            lead = .text(code == nil ? screen : .confirmLeadBrowser)
            question = .text(.confirmQuestionBrowser)
            advice = .text(.confirmAdviceCode)
        case .deviceCode:
            // The same whether an app waits for the browser to return or not: an attacker may have named the app.
            lead = .text(screen)
            question = .text(.confirmQuestionCode)
            advice = .text(.confirmAdviceCode)
        }
        lacksPassword = content.obstacle == .notByPassword
        lacksSecondFactor = content.obstacle == .noSecondFactor
        obstacle =
            lacksPassword || lacksSecondFactor
            ? nil : content.obstacle.map { .text($0 == .notSignedByDevice ? .confirmDeviceOnly : .confirmNearbyOnly) }
        facts = content.facts
        details = content.details
        permissions = content.permissions
        opensSession = content.method.opensBrowserSession
        let isEnding = offersApproval && (content.method.grantType != nil || opensSession)
        sessionLimit = isEnding ? content.sessionLimit.map { TimeDisplay($0, at: now) } : nil
        if let service = content.service {
            let terms = SessionTermView.all(for: service, until: content.sessionLimit, at: now)
            sessionTerms = offersApproval ? terms : []
            sessionQuestion = .text(.confirmServiceStay)
        } else {
            sessionTerms = SessionTermView.all(
                offersApproval ? content.sessionTerms : [], for: content.method, suggesting: content.sessionTerm,
                until: sessionLimit)
            sessionQuestion = SessionTermView.question(about: content.method)
        }
        isRemembered = content.isRemembered
        deadline = TimeDisplay(content.deadline, at: now)
        tag = content.tag
        timeLeft = TimeDisplay.span(content.deadline.timeIntervalSince(now))
    }
}
