internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

extension TokenRefresher {
    /// Hands out tokens for a part of the granted scope, for a service that is to get no more.
    ///
    /// They are stored with the tokens of the whole sign-in, and end with it.
    ///
    /// - Parameters:
    ///   - scope: The scope of the service; words that were not granted are left out.
    ///   - refused: The access token that the service refused; another one is handed out. `nil` for none.
    /// - Returns: The tokens, without a refresh token; those of the whole sign-in where its scope is no larger.
    /// - Throws: ``SignInError`` `scope_refused` when no word was granted, or the server grants more than was asked for;
    ///   otherwise as ``refresh(insteadOf:)``.
    ///
    /// Standard: RFC 6749 §6.
    package func signedIn(
        for scope: Scope, insteadOf refused: AccessToken? = nil
    ) async throws(SignInError) -> CompletedSignIn {
        let whole = try await load()
        let part = Scope(whole.scope.words.filter(scope.contains))
        guard !part.isEmpty else {
            throw SignInError(
                .scopeRefused, because: "no word of the scope was granted",
                saying: "The sign-in has nothing of the scope \(scope). Sign in again, with this scope.")
        }
        let signedIn: CompletedSignIn
        if part != whole.scope {
            signedIn = try await tokens(for: part, insteadOf: refused)
        } else if let refused {
            signedIn = try await refresh(insteadOf: refused)
        } else {
            signedIn = try await self.signedIn()
        }
        guard signedIn.scope.isSubset(of: scope) else {
            throw Self.noTokens(for: scope, because: "the token has more scope than was asked for")
        }
        return signedIn
    }

    private static func noTokens(for scope: Scope, because reason: String) -> SignInError {
        SignInError(
            .scopeRefused, because: reason, saying: "The server issues no tokens for the scope \(scope) alone.")
    }

    /// The stored tokens for a part, or new ones.
    private func tokens(for part: Scope, insteadOf refused: AccessToken?) async throws(SignInError) -> CompletedSignIn {
        if let kept = try await kept(part, insteadOf: refused) { return kept }
        // It goes on when its caller goes away, since the refresh token is spent.
        let task = Task {
            await Result { () async throws(SignInError) in
                try await alone {
                    // Another process may have been faster.
                    if let kept = try await self.kept(part, insteadOf: refused) { return kept }
                    return try await self.renewed(part)
                }
            }
        }
        return try await Interruptible.value { await task.value }.get()
    }

    /// Gets tokens for a part from the server, and saves them.
    private func renewed(_ part: Scope) async throws(SignInError) -> CompletedSignIn {
        _ = try await settleUnsaved()
        let whole = try await load()
        do throws(SignInError) {
            return try await renewed(part, of: whole)
        } catch {
            guard error.code == .scopeRefused else { throw error }
            // Its refresh token may be another one by now.
            let whole = try await load()
            guard let token = whole.refreshToken else { throw error }
            // The answer to an earlier request for more was lost: it is repeated to a request for everything.
            return try await renewed(part, of: try await renewed(whole, by: token))
        }
    }

    /// - Parameter isSecond: Whether the answer counts, also with less scope than was asked for. The first one may be the
    ///   lost answer to a request for less; `false` by default.
    private func renewed(
        _ part: Scope, of whole: CompletedSignIn, isSecond: Bool = false
    ) async throws(SignInError) -> CompletedSignIn {
        guard let token = whole.refreshToken else {
            throw Self.noTokens(for: part, because: "there is no refresh token")
        }
        let response: TokenResponse
        do throws(SignInError) {
            response = try await self.response(to: token, of: whole, for: part)
        } catch {
            guard error.code == .signedOut else { throw error }
            // The newer tokens are those of the whole.
            return try await renewed(part, of: try await afterRefusal(of: token, error))
        }
        let now = client.context.clock.now()
        let (narrowed, continued) = (
            whole.part(response, asked: part, at: now), whole.continued(by: response, at: now)
        )
        let counts = isSecond || part.isSubset(of: narrowed.scope) || continued.refreshToken == token
        var parts = (try await item()?.parts ?? [:]).filter { $0.value.signedIn?.lives(until: now, at: now) == true }
        if counts { parts[part.description] = SignInItem(narrowed) }
        unsaved = (whole, continued)
        try await save(continued, with: parts)
        return counts ? narrowed : try await renewed(part, of: continued, isSecond: true)
    }

    /// The stored tokens for a part, if they are alive and not the refused ones.
    private func kept(_ part: Scope, insteadOf refused: AccessToken?) async throws(SignInError) -> CompletedSignIn? {
        let now = client.context.clock.now()
        let kept = try await item()?.parts?[part.description]?.signedIn
        guard let kept, kept.accessToken != refused, kept.lives(until: now + 30, at: now) else { return nil }
        return kept
    }
}
