internal import Countersign

extension TokenRefresher {
    /// Ends the sign-in: revokes its tokens and removes them from the store; where wanted, the browser of this device then
    /// asks the person to end their session at the server, too.
    ///
    /// ```swift
    /// let result = try await tokens.signOut(endingSessionIn: browser)
    /// if result.session != .ended { screen.show("You may still be signed in in the browser.") }
    /// ```
    ///
    /// The tokens are removed in any case, before a page is opened. The browser's address to come back to is registered
    /// with the server as `post_logout_redirect_uri`; the wait for it ends after five minutes, or with the task.
    ///
    /// - Parameters:
    ///   - browser: The browser of this device; `nil`, the default, ends the tokens only.
    ///   - forgets: Whether the screen forgets a person whom it remembers; `false`, the default, lets it ask them again.
    /// - Returns: What the server confirmed; without a network the tokens stay valid until they expire.
    /// - Throws: ``SignInError`` `signed_out` when nothing is stored, or what the store throws. A sign-in whose time is over
    ///   is still stored.
    ///
    /// Standard: RFC 7009 §2; OpenID Connect RP-Initiated Logout 1.0 §2.
    @discardableResult
    public func signOut(
        endingSessionIn browser: (any SignInBrowser)? = nil,
        forgetting forgets: Bool = false
    ) async throws(SignInError) -> SignOutResult {
        // A running renewal, in this or another process, would write its tokens after ours are removed.
        let (ended, isRevoked) = try await alone { try await self.signOutAlone(forgetting: forgets) }
        let worksUntil = isRevoked || ended.refreshToken != nil ? nil : ended.expires
        guard let browser else {
            return SignOutResult(isRevoked: isRevoked, session: .untouched, worksUntil: worksUntil)
        }
        return SignOutResult(
            isRevoked: isRevoked, session: await endSession(of: ended, in: browser), worksUntil: worksUntil)
    }

    /// Revokes and removes the tokens; returns them, and whether the server confirmed it.
    private func signOutAlone(forgetting forgets: Bool) async throws(SignInError) -> (CompletedSignIn, Bool) {
        // Tokens that are over by this device's clock need not be over by the server's.
        let stored = try await stored()
        let kept = unsaved.map { $0.spent == stored ? $0.renewed : stored } ?? stored
        let parts = try await item()?.parts?.values.compactMap(\.signedIn) ?? []
        var isRevoked = false
        if let conversation = try? await conversation(once, proving: nil) {
            isRevoked = await conversation.giveBack(access: kept.accessToken, refresh: kept.refreshToken)
            // A server need not end these with the refresh token.
            for part in parts where !(await conversation.giveBack(access: part.accessToken, refresh: nil)) {
                isRevoked = false
            }
        }
        try await remove(forgetting: forgets)
        return (kept, isRevoked)
    }

    private func endSession(of ended: CompletedSignIn, in browser: any SignInBrowser) async -> SignOutResult.Session {
        let server: VerifiedServer
        do throws(SignInError) {
            server = try await conversation(once, proving: nil).server
        } catch {
            return .unconfirmed(error)
        }
        guard let page = server.endSession else { return .notOffered }
        // Addresses end in histories, logs and lists of processes: no place for what a screen may ask its person with.
        let hint = ended.rememberedPerson == nil ? ended.idToken : nil
        let request = LogoutRequest(page: page, client: client.identity.id, hint: hint)
        do throws(SignInError) {
            try await request.send(by: browser, in: client.context)
            return .ended
        } catch {
            return .unconfirmed(error)
        }
    }

    /// The client with one attempt: a person who leaves does not wait for a server to come back.
    private var once: RequesterClient {
        var once = client
        once.options.attempts = 1
        return once
    }
}
