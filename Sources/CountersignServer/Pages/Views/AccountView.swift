/// The page `/account`.
struct AccountView: Page {
    static let template = PageTemplate.account
    static let showsTimes = true

    /// The name of the person who is signed in.
    let personName: String
    /// The form field `form_token`.
    let formToken: String
    /// The result of the last act: "Signed out of Kitchen Radio."
    var notice: LocalizedText?
    /// The problem of the last attempt.
    var problem: LocalizedText?
    /// The signed-in screens, the latest first.
    let screens: [SignedInDeviceView]
    /// The services that act for the person, the latest first.
    var services: [GuestServiceView] = []
    /// The unredeemed approvals.
    var waiting: [SignedInDeviceView] = []
    /// The browsers that the person signed in by an approval on another device.
    var openedBrowsers: [OpenedBrowserView] = []
    /// The other browsers where the person signed in themselves.
    var otherBrowsers: [OtherBrowserView] = []
    /// The pending request over the back channel.
    var question: BackchannelQuestion?
    /// The devices that answer requests for the person.
    var devices: [EnrolledDeviceView] = []
    /// The changes within the last day; `nil` for none.
    var news: AccountNewsView?
    /// The requests that were decided within the last day, the latest first.
    var recent: [RecentRequestView] = []
    /// Apps that may sign the person in without asking again.
    var apps: [AllowedAppView] = []
    /// The muted apps.
    var mutedApps: [MutedAppView] = []
    /// The screens that remember the person, the last used first.
    var rememberedScreens: [RememberedScreenView] = []
    /// The accounts at other providers that sign the person in.
    var identities: [ConnectedIdentityView] = []
    /// The providers whose accounts can be connected.
    var providers: [OfferedProviderView] = []
    /// The passkeys that sign the person in.
    var passkeys: [PasskeyView] = []
    /// The one-time passwords, where they are set up.
    var oneTimePasswords: OneTimePasswordView?
    /// Whether passkeys can be added here.
    var offersPasskeys = false
    /// The address of this page where passkeys work; `nil` where they work on this one, or nowhere.
    var passkeysElsewhere: String?
    /// Whether one-time passwords can be set up.
    var offersOneTimePasswords = false
    /// Whether the person has a password.
    var hasPassword = true
    /// The time of its last change; `nil` for the one that the account began with.
    var passwordChanged: TimeDisplay?
    /// Whether an e-mail address can be verified here.
    var offersEmail = false
    /// The e-mail address; `nil` for none.
    var email: String?
    /// Whether it is verified.
    var isEmailVerified = false
    /// The time zone that the person chose; `nil` for none.
    var zoneName: String?
    /// Whether the person has a user code for requests over the back channel, or an app sends such codes.
    var offersBackchannelUserCode = false
    /// Whether the person has a user code for requests over the back channel.
    var hasBackchannelUserCode = false
    /// Whether the last attempt failed because of that code.
    var isBackchannelUserCodeWrong = false
    /// The end of the session of this browser, if it was chosen, with which all ends that was approved in it; `nil` for the
    /// usual one.
    var browserLimit: TimeDisplay?
    /// The browsers that show requests to the person.
    var pushBrowsers: [BrowserPushView] = []
    /// The server's public key, where this browser may be registered to show requests; `nil` otherwise.
    var pushKey: String?
    /// The digest of the address at which this browser is registered, to compare with the one that it has by now; `nil` where
    /// it is not registered.
    var pushRegistered: String?
    /// Whether the section about such browsers has any content.
    var showsPush = false
    /// Whether the person may manage the services.
    var isAdministrator = false

    var title: LocalizedText { .title(.text(.accountTitle), with: problem) }
}
