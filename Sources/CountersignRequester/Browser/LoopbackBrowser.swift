public import Countersign
internal import FoundationEssentialsCompat

/// The browser of a desktop, which comes back to a port of this machine.
///
/// ```swift
/// screen.browser = LoopbackBrowser(opening: XDGOpener())
/// ```
///
/// The redirect URI is `http://127.0.0.1:<port>/callback`. Register it with the server without the port; a server that
/// wants the whole address needs a fixed port, and one that expects another path that path.
///
/// Standard: RFC 8252 §7.3, §8.3.
public struct LoopbackBrowser: SignInBrowser {
    private let opener: any AppOpener
    private let port: UInt16
    private let path: String

    /// A browser that `opener` opens.
    ///
    /// - Parameters:
    ///   - opener: Opens addresses on this system.
    ///   - port: The port to come back to; 0, the default, for any that is free.
    ///   - path: The path of the redirect URI; `/callback` by default.
    public init(opening opener: any AppOpener, port: UInt16 = 0, path: String = "/callback") {
        self.opener = opener
        self.port = port
        self.path = path
    }

    /// Listens at the port of this machine.
    ///
    /// - Parameter accept: Whether an address that came back belongs to the sign-in; others are answered with 404.
    /// - Throws: ``SignInError`` `browser_not_opened` when the port cannot be used.
    public func prepare(
        accepting accept: @escaping @Sendable (String) async -> Bool
    ) async throws(SignInError) -> any BrowserVisit {
        Visit(opener: opener, listener: try await RedirectListener.start(port: port, path: path, accepting: accept))
    }

    private struct Visit: BrowserVisit {
        let opener: any AppOpener
        let listener: RedirectListener

        var redirectURI: String { listener.redirectURI }
        var returns: AsyncStream<String> { listener.returns }

        func open(_ address: URL) async -> BrowserPlace? { await opener.openPage(address) }
        func end() async { await listener.stop() }
    }
}
