internal import Countersign
internal import CountersignRequester
internal import CountersignWire
internal import Foundation

/// One request of this terminal for a service's token, from the first event to the last line.
struct CrossPlatformSigningIn: Sendable {
    let provider: CrossPlatformProvider
    let domain: Domain
    let type: CrossPlatformToken.TokenType
    let display: any SignInDisplay
    /// Opens the page on this machine, if requested.
    let browser: Browser?

    /// Gets the token and prints the result.
    ///
    /// - Throws: a ``CommandError`` with the exit status of what went wrong.
    func run(savingIn directory: String) async throws {
        guard let browser, type == .user else { return try await getToken(opening: nil, savingIn: directory) }
        try await browser.listening { try await getToken(opening: $0, savingIn: directory) }
    }

    private func getToken(opening browser: OpenBrowser?, savingIn directory: String) async throws {
        let presentation = TerminalPresentation(display: display, browser: browser)
        try await display.finishing(savedIn: directory) { () async throws(SignInError) in
            try await provider.requestToken(for: domain, ofType: type, presenting: presentation)
        }
    }
}

/// Shows the approval page's address in the terminal, and opens it in a browser if there is one.
private struct TerminalPresentation: SignInPresentation {
    let display: any SignInDisplay
    let browser: OpenBrowser?

    func show(_ page: SignInPage) async {
        await display.show(.invitation(page.invitation))
        await browser?.open(page)
    }

    func replace(with page: SignInPage) async {
        await show(page)
    }

    func dismiss() async {
        await display.pause()
        await browser?.forget()
    }

    func tell(_ event: SignInEvent) async {
        await display.show(event)
    }
}
