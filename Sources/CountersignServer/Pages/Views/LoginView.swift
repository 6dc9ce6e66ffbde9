/// `/login`: a person signs in with a username and a password.
struct LoginView: Page {
    static let template = PageTemplate.login

    /// The form field `form_token`.
    let formToken: String
    /// The path to open after signing in, the form field `return_to`; the server accepts only its own paths.
    let returnTo: String
    /// What was typed before.
    var username = ""
    /// Why the last attempt failed.
    var problem: String?

    var title: String { problem == nil ? "Sign in" : "Problem: Sign in" }
}
