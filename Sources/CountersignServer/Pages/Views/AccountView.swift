/// `/account`: where a person is signed in, and how they end it.
struct AccountView: Page {
    static let template = PageTemplate.account

    /// The name of the person who is signed in.
    let personName: String
    /// The form field `form_token`.
    let formToken: String
    /// The message about what just happened: "Signed out of Kitchen Radio."
    var notice: LocalizedText?
    /// Why the last attempt failed.
    var problem: LocalizedText?
    /// Screens that are signed in, the latest first.
    let screens: [SignedInDeviceView]
    /// Approvals that no screen has picked up yet.
    var waiting: [SignedInDeviceView] = []
    /// The request of an app that named the person, if one waits.
    var question: BackchannelQuestion?
    /// The devices that answer requests for the person.
    var devices: [EnrolledDeviceView] = []
    /// The devices that were added within the last day, the latest first.
    var newDevices: [NewDeviceView] = []
    /// The screens and apps that signed in within the last day, the latest first.
    var newSignIns: [NewSignInView] = []
    /// Apps that may sign the person in without asking again.
    var apps: [AllowedAppView] = []
    /// Apps that may not ask the person anything.
    var mutedApps: [MutedAppView] = []
    /// The accounts at other providers that sign the person in.
    var identities: [ConnectedIdentityView] = []
    /// The providers whose accounts can be connected.
    var providers: [OfferedProviderView] = []
    /// The passkeys that sign the person in.
    var passkeys: [PasskeyView] = []
    /// The one-time passwords, where they are set up.
    var authenticator: OneTimePasswordView?
    /// Whether passkeys can be added here.
    var offersPasskeys = false
    /// The address of this page where passkeys work; `nil` where they work on this one, or nowhere.
    var passkeysElsewhere: String?
    /// Whether one-time passwords can be set up.
    var offersAuthenticator = false
    /// Whether the person has a password.
    var hasPassword = true
    /// Whether the person chose a code without which no app can ask them anything.
    var hasBackchannelUserCode = false
    /// Whether the last attempt failed because of that code.
    var isBackchannelUserCodeWrong = false
    /// Whether the person may manage the services.
    var isAdministrator = false

    var title: LocalizedText { problem == nil ? .text(.accountTitle) : .problem(.text(.accountTitle)) }
}
