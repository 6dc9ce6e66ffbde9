/// `/login`: a person proves who they are with a username and a password.
struct LoginView: Page {
    static let template = PageTemplate.login

    /// The form field `form_token`.
    let formToken: String
    /// The path to go on to, sent back as `return_to`; the caller accepts paths of its own only.
    let returnTo: String
    /// What was typed before.
    var username = ""
    /// Why the last attempt failed.
    var problem: String?

    var title: String { problem == nil ? "Sign in" : "Problem: Sign in" }
}
