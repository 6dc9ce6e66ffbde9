/// The result of starting a sign-in in another app or in the browser.
public enum AppToAppStart: Sendable, Hashable {
    /// The kind of address that was opened.
    public enum Way: Sendable, Hashable {
        /// The provider's own app, by its scheme.
        case app
        /// An https address: the provider's own app where the system has one for it, otherwise the browser.
        case webAddress
    }

    /// It was opened; the answer comes to the redirect URI.
    case opened(Way)
    /// The client id is empty.
    case invalidClientID
    /// No redirect URI can be used; nothing was opened.
    case invalidRedirect(AppRedirects.ValidationError)
    /// The provider's app is not installed; with the page in the store, if that is to be offered.
    case appNotInstalled(ProviderApp.StorePage?)
    /// The provider's app is installed, and too old to sign other apps in; with the page in the store, if that is to be
    /// offered.
    case appTooOld(ProviderApp.StorePage?)
    /// The system has nothing that opens the address, not even a browser.
    case notOpened
}
