/// `/activate?user_code=…`: a person came by a link or a QR code, which by itself does nothing.
struct LinkArrivalView: Page {
    static let template = PageTemplate.linkArrival

    /// Who is signed in.
    let personName: String
    /// The form field `form_token`.
    let formToken: String
    /// The code of the link, as screens show it: `XXXX-XXXX`.
    let userCode: String
    /// The address of the app to which the browser returns afterwards; the form field `redirect_uri`.
    let returning: String?
    let heading: String
    /// How the person came here, and what to do.
    let lead: String
    /// The label of the button for a person who did not come that way.
    let refusal: String

    var title: String { heading }

    init(personName: String, formToken: String, userCode: String, returning: UnverifiedReturnAddress? = nil) {
        self.personName = personName
        self.formToken = formToken
        self.userCode = userCode
        self.returning = returning?.rawValue
        if returning == nil {
            heading = "Does your screen show this code?"
            lead = "You opened a link or scanned a QR code. Compare every letter with the screen in front of you."
            refusal = "This is not my screen"
        } else {
            heading = "Did you come here from an app?"
            lead = "An app on this device wants to be signed in as you. If it shows a code, it must be this one:"
            refusal = "I did not start this"
        }
    }
}
