internal import Countersign
public import FoundationEssentialsCompat

/// A browser on the screen's own device, which comes back to the app when the person is done.
///
/// ``LoopbackBrowser`` is that of a desktop, ``LinkedBrowser`` one that comes back by an address of the app, and
/// ``WebAuthenticationBrowser`` the system's sheet on Apple's systems.
public protocol SignInBrowser: Sendable {
    /// Prepares one visit: from now on the browser can come back.
    ///
    /// - Parameter accept: Whether an address that came back belongs to the sign-in; others are ignored.
    /// - Returns: The visit, whose ``BrowserVisit/end()`` is called in every case.
    /// - Throws: ``SignInError`` `browser_not_opened` when the browser could not come back to this device.
    func prepare(accepting accept: @escaping @Sendable (String) async -> Bool) async throws(SignInError)
        -> any BrowserVisit
}

/// One visit to a page in the browser of this device.
public protocol BrowserVisit: Sendable {
    /// The address that the browser comes back to; the server knows it for this app, with any port for a loopback one.
    var redirectURI: String { get }

    /// The accepted addresses that came back. The sequence ends when the person closes the page, as far as that is known.
    var returns: AsyncStream<String> { get }

    /// Opens the page, in the provider's own app where the system has one for it.
    ///
    /// - Parameter address: The address of the page.
    /// - Returns: The place where it was opened; `nil` when nothing was opened.
    func open(_ address: URL) async -> BrowserPlace?

    /// Closes the page, as far as this device can, and stops waiting for the browser.
    func end() async
}

/// The place where a page was opened.
public enum BrowserPlace: String, Sendable, Hashable, CaseIterable {
    /// The provider's own app on this device.
    case app
    /// The browser.
    case browser
}

extension AppOpener {
    /// Opens a page in the app that owns its domain, or else in the browser.
    func openPage(_ address: URL) async -> BrowserPlace? {
        if knowsOwners, await openInOwner(address) { return .app }
        return await open(address) ? .browser : nil
    }
}
