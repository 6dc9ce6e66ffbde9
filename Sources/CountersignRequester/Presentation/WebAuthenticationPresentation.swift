#if canImport(AuthenticationServices) && (os(iOS) || os(macOS) || os(visionOS))
public import AuthenticationServices

/// Opens the page in the system's browser, in a sheet over the app that the app cannot read. Not compiled on Linux.
@MainActor
public final class WebAuthenticationPresentation: NSObject, SignInPresentation {
    private let anchor: ASPresentationAnchor
    private var session: ASWebAuthenticationSession?

    /// Creates a presentation.
    ///
    /// - Parameter anchor: The window that the sheet appears over.
    public init(over anchor: ASPresentationAnchor) {
        self.anchor = anchor
    }

    /// Opens the page in a sheet.
    public func show(_ page: SignInPage) async {
        open(page)
    }

    /// Closes the sheet, and opens the new page.
    public func replace(with page: SignInPage) async {
        session?.cancel()
        open(page)
    }

    /// Closes the sheet.
    public func dismiss() async {
        session?.cancel()
        session = nil
    }

    private func open(_ page: SignInPage) {
        let session = ASWebAuthenticationSession(
            url: page.address(returningTo: SignInPage.usualReturn),
            callbackURLScheme: URL(string: SignInPage.usualReturn)?.scheme
        ) { address, error in
            if let address {
                page.returned(with: address.absoluteString)
            } else if (error as? ASWebAuthenticationSessionError)?.code == .canceledLogin {
                page.closed()
            }
        }
        session.presentationContextProvider = self
        self.session = session
        if !session.start() { page.closed() }
    }
}

extension WebAuthenticationPresentation: ASWebAuthenticationPresentationContextProviding {
    /// The window that the sheet appears over.
    ///
    /// - Parameter session: The session of the sheet; there is one at a time.
    public func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor {
        anchor
    }
}
#endif
