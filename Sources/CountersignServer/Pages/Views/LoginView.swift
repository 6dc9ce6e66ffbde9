/// `/login`: a person signs in with a username and a password, or with another provider.
struct LoginView: Page {
    static let template = PageTemplate.login

    /// The form field `form_token`.
    let formToken: String
    /// The path after the sign-in, the form field `return_to`.
    let returnTo: String
    /// The name of the app of an authorization request; `nil` for none.
    var appName: String?
    /// Whether the app registered itself, so that its name is not verified.
    var isSelfNamed = false
    /// The previously typed user name.
    var username = ""
    /// The problem of the last attempt.
    var problem: LocalizedText?
    /// The options for signing with a passkey, as JSON for the script; `nil` where there are no passkeys.
    var passkeyOptions: String?
    /// The address of this page where passkeys work; `nil` where they work on this one, or nowhere.
    var passkeysElsewhere: String?
    /// Whether an approval on another device is enough.
    var offersPhone = true
    /// The other providers that can sign the person in.
    var providers: [OfferedProviderView] = []

    var title: LocalizedText { .title(.text(.pageSignIn), with: problem) }
}
