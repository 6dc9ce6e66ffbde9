/// The page that confirms a sign-out at the request of an app.
struct EndSessionView: Page {
    static let template = PageTemplate.endSession
    /// The form field with the parameters of the request.
    static let field = "session"

    /// The name of the person who is signed in.
    let personName: String
    /// The form field `form_token`.
    let formToken: String
    /// The form field ``field``.
    let session: String

    var title: LocalizedText { .text(.endSessionTitle) }
}
