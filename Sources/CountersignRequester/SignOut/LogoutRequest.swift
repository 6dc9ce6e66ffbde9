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
            let redirectURI = try Self.redirectURI(visit.redirectURI)
            expected.withLockedValue { $0 = redirectURI }
            guard let address = self.address(returningTo: redirectURI, with: state),
                await visit.open(address) != nil
            else { throw SignInError(.browserNotOpened, because: "nothing opens addresses here") }
            try await Self.wait(for: visit, by: context.clock)
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

    private static func redirectURI(_ text: String) throws(SignInError) -> RedirectURI {
        do throws(RedirectURI.ParsingError) {
            return try RedirectURI(text)
        } catch {
            throw SignInError(.browserNotOpened, because: "the redirect URI is \(error.rawValue)")
        }
    }

    private static func wait(for visit: any BrowserVisit, by clock: TimeSource) async throws(SignInError) {
        let result = await withTaskGroup(of: Result<Void, SignInError>.self) { group in
            group.addTask {
                for await _ in visit.returns { return .success(()) }
                return .failure(SignInError(.cancelled, because: "the page was closed"))
            }
            group.addTask {
                try? await clock.sleep(until: clock.instant() + lifetime)
                return .failure(SignInError(.expired, because: "the browser did not come back"))
            }
            let first = await group.next() ?? .failure(.taskCancelled)
            group.cancelAll()
            return first
        }
        guard !Task.isCancelled else { throw SignInError.taskCancelled }
        try result.get()
    }
}
