/// `/activate?user_code=…`: a person came by a link or a QR code, which by itself does nothing.
struct LinkArrivalView: Page {
    static let template = PageTemplate.linkArrival

    /// The name of the person who is signed in.
    let personName: String
    /// The form field `form_token`.
    let formToken: String
    /// The code of the link, as screens show it: `XXXX-XXXX`.
    let userCode: String
    /// The address of the app that the browser returns to afterwards; the form field `redirect_uri`.
    let returning: String?
    /// The same question whether the link names an app or not: an attacker writes the link.
    var title: LocalizedText { .text(.linkArrivalScreenHeading) }

    init(personName: String, formToken: String, userCode: String, returning: UnverifiedReturnAddress? = nil) {
        self.personName = personName
        self.formToken = formToken
        self.userCode = userCode
        self.returning = returning?.rawValue
    }
}
