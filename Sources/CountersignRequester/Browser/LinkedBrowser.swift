public import Countersign
internal import FoundationEssentialsCompat
internal import NIOConcurrencyHelpers

/// A browser that comes back by an address of the app: a link of its own domain, or of its own scheme.
///
/// ```swift
/// let browser = LinkedBrowser(opening: opener, returningTo: "https://tv.example.com/signed-in")
/// screen.browser = browser
/// await browser.returned(with: address)  // with each address that the system opens the app with
/// ```
///
/// Standard: RFC 8252 §7.1, §7.2.
public final class LinkedBrowser: SignInBrowser {
    /// A sign-in that waits for the browser.
    private struct Visitor: Sendable {
        /// Whether an address that came back belongs to the sign-in.
        let accept: @Sendable (String) async -> Bool
        let returns: AsyncStream<String>.Continuation
    }

    private let opener: any AppOpener
    private let redirectURI: String
    /// The present visit; `nil` when the browser is not expected.
    private let visitor = NIOLockedValueBox<Visitor?>(nil)

    /// A browser that `opener` opens.
    ///
    /// - Parameters:
    ///   - opener: Opens addresses on this system.
    ///   - redirectURI: The address that the system opens this app with; registered with the server.
    public init(opening opener: any AppOpener, returningTo redirectURI: String) {
        self.opener = opener
        self.redirectURI = redirectURI
    }

    /// Takes an address that the system opened this app with.
    ///
    /// - Parameter address: The whole address; any text.
    /// - Returns: Whether it belongs to a sign-in that waits for the browser; if not, it is some other link to the app.
    @discardableResult
    public func returned(with address: String) async -> Bool {
        guard let visitor = visitor.withLockedValue(\.self), await visitor.accept(address) else { return false }
        visitor.returns.yield(address)
        return true
    }

    /// Expects the browser from now on.
    ///
    /// - Parameter accept: Whether an address that came back belongs to the sign-in.
    public func prepare(
        accepting accept: @escaping @Sendable (String) async -> Bool
    ) async throws(SignInError) -> any BrowserVisit {
        let (returns, continuation) = AsyncStream.makeStream(of: String.self)
        let expected = Visitor(accept: accept, returns: continuation)
        visitor.withLockedValue { $0 = expected }
        return Visit(opener: opener, redirectURI: redirectURI, returns: returns, browser: self)
    }

    private func forget() { visitor.withLockedValue { $0 = nil } }

    private struct Visit: BrowserVisit {
        let opener: any AppOpener
        let redirectURI: String
        let returns: AsyncStream<String>
        let browser: LinkedBrowser

        func open(_ address: URL) async -> BrowserPlace? { await opener.openPage(address) }
        func end() async { browser.forget() }
    }
}
