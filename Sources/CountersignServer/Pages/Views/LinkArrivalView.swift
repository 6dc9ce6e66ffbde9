/// `/activate?user_code=…`: a person came by a link or a QR code, which by itself does nothing.
struct LinkArrivalView: Page {
    static let template = PageTemplate.linkArrival

    /// Who is signed in.
    let personName: String
    /// Goes back as `form_token`.
    let formToken: String
    /// The code of the link, as screens show it: `XXXX-XXXX`.
    let userCode: String

    var title: String { "Compare the code" }
}
