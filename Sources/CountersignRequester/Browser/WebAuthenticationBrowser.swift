#if canImport(AuthenticationServices) && (os(iOS) || os(macOS) || os(visionOS))
public import AuthenticationServices
public import Countersign

/// The system's browser in a sheet over the app, which comes back by an https address of the app's own domain. Not
/// compiled on Linux.
///
/// The sheet is closed when another way is quicker, and the person's closing it ends this way alone.
///
/// Standard: RFC 8252 §7.2, Appendix B.1.
@available(iOS 17.4, macOS 14.4, visionOS 1.1, *)
@MainActor
public final class WebAuthenticationBrowser: NSObject, SignInBrowser {
    private let anchor: ASPresentationAnchor
    private let host: String
    private let path: String

    /// Creates a browser.
    ///
    /// - Parameters:
    ///   - anchor: The window that the sheet appears over.
    ///   - host: The app's own domain, associated with it as `webcredentials`.
    ///   - path: The path of the redirect URI there, which is registered with the server.
    public init(over anchor: ASPresentationAnchor, returningTo host: String, at path: String = "/signed-in") {
        self.anchor = anchor
        self.host = host
        self.path = path
    }

    /// Prepares a sheet.
    ///
    /// - Parameter accept: Whether an address that came back belongs to the sign-in.
    public nonisolated func prepare(
        accepting accept: @escaping @Sendable (String) async -> Bool
    ) async throws(SignInError) -> any BrowserVisit {
        await Visit(browser: self, accept: accept)
    }

    @MainActor
    private final class Visit: BrowserVisit {
        nonisolated let redirectURI: String
        nonisolated let returns: AsyncStream<String>
        private let browser: WebAuthenticationBrowser
        private let accept: @Sendable (String) async -> Bool
        private let continuation: AsyncStream<String>.Continuation
        private var session: ASWebAuthenticationSession?

        init(browser: WebAuthenticationBrowser, accept: @escaping @Sendable (String) async -> Bool) {
            self.browser = browser
            self.accept = accept
            redirectURI = "https://\(browser.host)\(browser.path)"
            (returns, continuation) = AsyncStream.makeStream(of: String.self)
        }

        func open(_ address: URL) async -> BrowserPlace? {
            let (accept, continuation) = (accept, continuation)
            let session = ASWebAuthenticationSession(
                url: address, callback: .https(host: browser.host, path: browser.path)
            ) { address, _ in
                guard let address = address?.absoluteString else { return continuation.finish() }
                Task {
                    if await accept(address) { continuation.yield(address) }
                    continuation.finish()
                }
            }
            session.presentationContextProvider = browser
            self.session = session
            return session.start() ? .browser : nil
        }

        func end() async {
            session?.cancel()
            session = nil
            continuation.finish()
        }
    }
}

@available(iOS 17.4, macOS 14.4, visionOS 1.1, *)
extension WebAuthenticationBrowser: ASWebAuthenticationPresentationContextProviding {
    /// The window that the sheet appears over.
    ///
    /// - Parameter session: The session of the sheet; there is one at a time.
    public func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { anchor }
}
#endif
