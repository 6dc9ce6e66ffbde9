#if canImport(AuthenticationServices) && (os(iOS) || os(macOS) || os(visionOS))
public import AuthenticationServices

/// Opens the page in the system's browser, in a sheet over the app that the app cannot look into. Not compiled on Linux.
@MainActor
public final class WebAuthenticationPresentation: NSObject, SignInPresentation {
    private let anchor: ASPresentationAnchor
    private var session: ASWebAuthenticationSession?

    /// A presentation over this window.
    public init(over anchor: ASPresentationAnchor) {
        self.anchor = anchor
    }

    public func show(_ page: SignInPage) async {
        open(page)
    }

    public func replace(with page: SignInPage) async {
        session?.cancel()
        open(page)
    }

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
    public func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor {
        anchor
    }
}
#endif
