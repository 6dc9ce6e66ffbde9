internal import Countersign
internal import CountersignWire
internal import NIOConcurrencyHelpers

/// A browser of this device that can come back, with the answer that it is expected to bring.
struct PreparedBrowser: Sendable {
    let visit: any BrowserVisit
    let expected: ExpectedReturn

    /// The way back, as the request names it.
    var way: BrowserReturn { BrowserReturn(to: expected.redirectURI, state: expected.state.revealed) }

    /// Prepares a browser for one request.
    ///
    /// - Parameters:
    ///   - issuer: The server that has to answer.
    ///   - random: The source of the state.
    /// - Throws: ``SignInError`` `browser_not_opened` when the browser could not come back.
    init(
        _ browser: any SignInBrowser,
        expecting issuer: String,
        drawingFrom random: RandomSource
    ) async throws(SignInError) {
        let state: AuthorizationState = CodeMint(drawingFrom: random).secret()
        // The address to come back to is known once the browser is prepared.
        let known = NIOLockedValueBox<ExpectedReturn?>(nil)
        visit = try await browser.prepare { address in
            known.withLockedValue(\.self)?.answer(in: address) != nil
        }
        do throws(SignInError) {
            let redirectURI = try visit.checkedRedirectURI()
            let expected = ExpectedReturn(redirectURI: redirectURI, state: state, issuer: issuer)
            known.withLockedValue { $0 = expected }
            self.expected = expected
        } catch {
            await visit.end()
            throw error
        }
    }
}
