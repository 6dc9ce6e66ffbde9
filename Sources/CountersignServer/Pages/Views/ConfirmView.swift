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

    /// The person who is signed in here, and will be signed in on the screen.
    let personName: String
    /// The form field `form_token`.
    let formToken: String
    /// The code as screens show it, `XXXX-XXXX`, if the request is named by one; the form field `user_code`.
    let userCode: String?
    /// What the person should see where they started, too, if the app that named them sent something.
    let bindingMessage: String?
    /// How many digits the person has to type to approve, in words; `nil` for none.
    let numberDigits: String?
    /// Why the number is asked for, where the screen shows it only now.
    let numberReason: String?
    /// Why the last attempt failed.
    var problem: String?
    /// The request's identifier if it is addressed to the person; the form field `request`.
    let requestID: String?
    /// The address of the app to which the browser returns afterwards; the form field `redirect_uri`.
    let returning: String?
    /// What is asked, in a sentence.
    let lead: String
    /// The question that the person should ask themselves before they decide.
    let question: String
    /// What to do when the answer is no.
    let advice: String
    /// Who asks, from where, since when; in the order in which a person should read.
    let facts: [ShownFact]
    /// What it asks for.
    let permissions: [ShownPermission]
    /// When the request expires.
    let deadline: ShownTime
    /// How long that is from now, in words.
    let timeLeft: String
    /// What is needed to confirm an approval with a passkey; `nil` where the approval alone is enough.
    let passkey: PasskeyConfirmationView?

    var title: String { problem == nil ? "Approve this sign-in?" : "Problem: Approve this sign-in?" }

    init(
        personName: String,
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
        numberDigits = number.map { "\($0.digits) digits" }
        numberReason = number?.shown.map { _ in
            """
            You came by a link, and the screen is not in the network that you use. It shows a number since you opened \
            this page. If a number came to you in any other way, deny.
            """
        }
        switch named.name {
        case .addressed where backchannel != nil || authenticator != nil:
            let words = "An app asks to be signed in as you. It named you, and there is no code."
            lead = bindingMessage == nil ? words : "\(words) Where you started, you must see this message now:"
            question = "Did you start this yourself, just now?"
            advice = "If you did not, or are not sure, deny. Nobody from support needs your approval."
        case .addressed:
            lead = "An app in which you have signed in before asks to use one more service as you. There is no code."
            question = "Did you start this yourself?"
            advice = "If you did not, or are not sure, deny. The app can ask again."
        case .code:
            // The same whether an app waits for the browser to return or not: an attacker may have named the app.
            lead = "A screen asks to be signed in as you. It must show this code now:"
            question = "Is this screen in front of you?"
            advice = "If it is not, or you did not start this yourself, deny."
        }
        self.facts = facts
        self.permissions = permissions
        self.deadline = ShownTime(deadline, at: now)
        timeLeft = ShownTime.span(deadline.timeIntervalSince(now))
    }
}
