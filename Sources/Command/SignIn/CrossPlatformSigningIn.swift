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
        let outcome = try await result()
        await display.finish(outcome, savedIn: directory)
        if case .failure(let error) = outcome { throw CommandError(error) }
    }

    private func result() async throws -> Result<CrossPlatformToken, SignInError> {
        guard let browser, type == .user else { return await token(opening: nil) }
        return try await browser.listening { await token(opening: $0) }
    }

    private func token(opening browser: OpenBrowser?) async -> Result<CrossPlatformToken, SignInError> {
        let presentation = TerminalPresentation(display: display, browser: browser)
        do throws(SignInError) {
            return .success(try await provider.requestToken(for: domain, ofType: type, presenting: presentation))
        } catch {
            return .failure(error)
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
