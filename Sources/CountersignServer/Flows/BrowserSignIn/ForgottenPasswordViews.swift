internal import Countersign

/// `/login/forgot`: the ways to a new password.
struct ForgottenPasswordView: Page {
    static let template = PageTemplate.forgottenPassword

    /// The form field `form_token`.
    let formToken: String
    /// Whether the server sends mails.
    var offersMail = false
    /// The problem of the last attempt.
    var problem: LocalizedText?

    var title: LocalizedText { .title(.text(.forgottenTitle), with: problem) }
}

/// `/login/forgot` while the person's device is asked.
struct ForgottenPasswordWaitView: Page {
    static let template = PageTemplate.forgottenPasswordWait

    /// The form field `form_token`.
    let formToken: String
    /// The entity tag of the page, which the script names to hold a request.
    let tag: String
    /// The time until a browser without scripts loads the page again, in seconds.
    let refreshSeconds: String
    /// The number to type on the phone; `nil` for none.
    let number: String?
    /// The facts about the browser, as the phone shows them.
    let facts: [FactLine]

    var title: LocalizedText { .text(.forgottenTitle) }
}
