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
    let browser: (any SignInBrowser)?

    /// Gets the token and prints the result.
    ///
    /// - Throws: a ``CommandError`` with the exit status of what went wrong; ``SignInError`` `browser_not_opened` when the
    ///   browser could not come back to this machine.
    func run(savingIn directory: String) async throws {
        guard let browser, type == .user else { return try await getToken(in: nil, savingIn: directory) }
        // What comes back proves nothing: the provider is asked in any case.
        let visit = try await browser.prepare { _ in true }
        let page = OpenPage(in: visit)
        let watching = Task {
            for await address in visit.returns { await page.cameBack(to: address) }
        }
        let result: Result<Void, any Error>
        do {
            result = .success(try await getToken(in: page, savingIn: directory))
        } catch {
            result = .failure(error)
        }
        await visit.end()
        await watching.value
        try result.get()
    }

    private func getToken(in page: OpenPage?, savingIn directory: String) async throws {
        let presentation = TerminalPresentation(display: display, browser: page)
        try await display.finishing(savedIn: directory) { () async throws(SignInError) in
            try await provider.requestToken(for: domain, ofType: type, presenting: presentation)
        }
    }
}

/// The page in the browser of this machine.
private actor OpenPage {
    private let visit: any BrowserVisit
    private var page: SignInPage?

    init(in visit: any BrowserVisit) {
        self.visit = visit
    }

    /// Opens a page; without a browser the person reads in the terminal what to do.
    func open(_ page: SignInPage) async {
        self.page = page
        guard await visit.open(page.address(returningTo: visit.redirectURI)) == nil else { return }
        Terminal.complain("No browser could be opened. Follow the link, or enter the code elsewhere.")
    }

    func forget() {
        page = nil
    }

    func cameBack(to address: String) {
        page?.returned(with: address)
    }
}

/// Shows the approval page's address in the terminal, and opens it in a browser if there is one.
private struct TerminalPresentation: SignInPresentation {
    let display: any SignInDisplay
    let browser: OpenPage?
    let showsNumbers = true

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
