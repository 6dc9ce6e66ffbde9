internal import Countersign
internal import CountersignResource
internal import CountersignWire
internal import FoundationEssentialsCompat

/// Checks at the server whether a session still counts, and replaces its tokens before they expire.
struct SessionCheck: Sendable {
    /// The rest of a token's life in which it is replaced, in seconds.
    private static let early: TimeInterval = 30
    /// Each check asks the server.
    private static let limits: TokenCacheLimits = {
        var limits = TokenCacheLimits()
        (limits.good, limits.notGood) = (0, 0)
        return limits
    }()

    let provider: GateProvider
    let verifier: SignInVerifier
    let clock: TimeSource

    enum Outcome: Sendable {
        case good(GateSession, TokenFacts)
        /// The person signed out, is locked, or took the app's access away.
        case ended(because: String)
        /// The server cannot be asked. New tokens must not be lost.
        case away(GateSession, because: String)
    }

    func check(_ session: GateSession) async -> Outcome {
        var session = session
        do throws(GateProviderError) {
            if session.tokens.accessEnds - Self.early <= clock.now() { try await refresh(&session) }
            if let facts = try await facts(of: session) { return .good(session, facts) }
            // The token ended before its time; the server says whether the sign-in did.
            try await refresh(&session)
            guard let facts = try await facts(of: session) else { return .ended(because: "its token is not good") }
            return .good(session, facts)
        } catch {
            switch error {
            case .away, .untrusted: return .away(session, because: error.reason)
            case .refused: return .ended(because: error.reason)
            }
        }
    }

    private func refresh(_ session: inout GateSession) async throws(GateProviderError) {
        guard let token = session.tokens.refresh else { throw .refused("it has no refresh token") }
        let answer = try await provider.refresh(token)
        session.tokens = SessionTokens(answer, keeping: token, at: clock.now())
        // The name and the address may have changed since the sign-in.
        guard answer.idToken != nil else { return }
        let claims = try await verifier.claims(in: answer, repeating: nil, at: clock.now())
        guard claims.subject == session.person.subject else { throw .refused("the ID token is another person's") }
        session.person = GatePerson(claims)
    }

    /// The server's facts about a session; `nil` when its token is not good.
    private func facts(of session: GateSession) async throws(GateProviderError) -> TokenFacts? {
        let checker = try await provider.checker(for: nil, caching: Self.limits)
        let verdict: TokenVerdict
        do throws(TokenCheckError) {
            verdict = try await checker.check(session.tokens.access, at: clock.now())
        } catch {
            throw .away(error.reason)
        }
        guard case .good(let facts) = verdict else { return nil }
        guard facts.person == session.person.subject else { throw .refused("the token is another person's") }
        return facts
    }
}
