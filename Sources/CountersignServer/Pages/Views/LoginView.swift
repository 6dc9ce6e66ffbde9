/// `/login`: a person signs in with a username and a password, or with another provider.
struct LoginView: Page {
    static let template = PageTemplate.login

    /// The form field `form_token`.
    let formToken: String
    /// The path to open after signing in, the form field `return_to`; the server accepts only its own paths.
    let returnTo: String
    /// The name of the app that asks for authorization; `nil` when the person came by another way.
    var appName: String?
    /// Whether the app registered itself, and nobody verified its name.
    var isSelfNamed = false
    /// The username that was typed before.
    var username = ""
    /// Why the last attempt failed.
    var problem: LocalizedText?
    /// The options for signing with a passkey, as JSON for the script; `nil` where there are no passkeys.
    var passkeyOptions: String?
    /// The address of this page where passkeys work; `nil` where they work on this one, or nowhere.
    var passkeysElsewhere: String?
    /// The other providers that can sign the person in.
    var providers: [OfferedProviderView] = []

    var title: LocalizedText { problem == nil ? .text(.pageSignIn) : .problem(.text(.pageSignIn)) }
}
