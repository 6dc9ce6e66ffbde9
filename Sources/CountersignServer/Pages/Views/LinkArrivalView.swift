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
    let heading: LocalizedText
    /// How the person came here, and what to do.
    let lead: LocalizedText
    /// The label of the button for a person who did not come that way.
    let refusal: LocalizedText

    var title: LocalizedText { heading }

    init(personName: String, formToken: String, userCode: String, returning: UnverifiedReturnAddress? = nil) {
        self.personName = personName
        self.formToken = formToken
        self.userCode = userCode
        self.returning = returning?.rawValue
        if returning == nil {
            heading = .text(.linkArrivalScreenHeading)
            lead = .text(.linkArrivalScreenLead)
            refusal = .text(.linkArrivalNotMyScreen)
        } else {
            heading = .text(.linkArrivalAppHeading)
            lead = .text(.linkArrivalAppLead)
            refusal = .text(.linkArrivalNotStarted)
        }
    }
}
