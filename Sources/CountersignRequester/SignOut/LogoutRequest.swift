internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import NIOConcurrencyHelpers

/// The request to end a person's session at the server, by the browser of this device.
///
/// Standard: OpenID Connect RP-Initiated Logout 1.0 §2, §3.
struct LogoutRequest: Sendable {
    /// The server's page.
    let page: Endpoint
    let client: ClientID
    /// The ID token of the person; `nil` when none was issued, and for one that a screen remembers them by.
    let hint: UnverifiedIDToken?

    /// The time that the browser has to come back.
    private static let lifetime = Duration.seconds(300)

    /// Opens the page, and waits until the browser comes back with the state of this request.
    ///
    /// - Throws: ``SignInError`` `browser_not_opened`, `expired` when it does not come back in time, `cancelled` when the
    ///   person closes the page, as far as that is known, or the task is cancelled.
    func send(by browser: any SignInBrowser, in context: RequesterContext) async throws(SignInError) {
        let state: AuthorizationState = CodeMint(drawingFrom: context.random).secret()
        // The address to come back to is known once the browser is prepared.
        let expected = NIOLockedValueBox<RedirectURI?>(nil)
        let visit = try await browser.prepare { address in
            expected.withLockedValue(\.self).map { Self.answers(address, to: $0, state) } ?? false
        }
        let outcome = await Result { () async throws(SignInError) in
            let redirectURI = try visit.checkedRedirectURI()
            expected.withLockedValue { $0 = redirectURI }
            guard let address = self.address(returningTo: redirectURI, with: state),
                await visit.open(address) != nil
            else { throw SignInError(.browserNotOpened, because: "nothing opens addresses here") }
            _ = try await visit.firstReturn(within: Self.lifetime, by: context.clock)
        }
        await visit.end()
        try outcome.get()
    }

    /// The page's address with the parameters of the request.
    private func address(returningTo redirectURI: RedirectURI, with state: AuthorizationState) -> URL? {
        let form: Form = [
            "id_token_hint": hint?.revealed, "client_id": client.rawValue,
            "post_logout_redirect_uri": redirectURI.text, "state": state.revealed,
        ]
        return URL(string: form.location(at: page.url.absoluteString))
    }

    /// Whether an address that came back answers this request.
    private static func answers(_ address: String, to redirectURI: RedirectURI, _ state: AuthorizationState) -> Bool {
        guard address.utf8.count <= ReturnedParameters.longest, let query = redirectURI.parameters(of: address) else {
            return false
        }
        return ReturnedParameters(parsing: query).state == state
    }
}
