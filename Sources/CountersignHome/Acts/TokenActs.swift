internal import Countersign
internal import CountersignTesting
internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes

/// Screens that refresh their tokens, and a service that asks about them.
enum TokenActs: HomeOccasion {
    static let acts = [
        HomeAct("screen.refreshes", weight: 5) { home, choice in
            guard let signIn = choice.signIn(home.signIns.filter { $0.tokens?.refreshToken != nil }) else { return nil }
            return try await refresh(signIn, in: home)
        },
        HomeAct("service.asks", weight: 3) { home, choice in
            guard let signIn = choice.signIn(home.signIns.filter { $0.tokens != nil }) else { return nil }
            try await introspect(signIn, in: home)
            return "the service asks about \(signIn.label)"
        },
    ]

    private static func refresh(_ signIn: RunningSignIn, in home: isolated Home) async throws -> String? {
        guard let token = signIn.tokens?.refreshToken else { return nil }
        let request = home.tokenRequest(.refresh(token, scope: .none), for: signIn)
        guard case .success(let answer) = try await home.send(request, by: .screen(signIn.screen)) else {
            signIn.hasLostAnswers = true
            return "\(signIn.label) gets no answer"
        }
        if answer.response.status == .ok {
            let tokens = try answer.decoded(TokenResponse.self)
            signIn.earlierTokens.append(token)
            signIn.tokens = tokens
            return "\(signIn.label) refreshes"
        }
        guard answer.response.status.code != 429, let grant = signIn.grant else { return "\(signIn.label) has to wait" }
        guard try await home.isEnded(grant) else {
            throw HomeFault(.sameOutcome, "\(signIn.label) lost its sign-in, which nobody ended")
        }
        signIn.tokens = nil
        return "\(signIn.label) is signed out"
    }

    /// Asks about the access token of a sign-in, and checks the answer.
    static func introspect(_ signIn: RunningSignIn, in home: isolated Home) async throws {
        guard let token = signIn.tokens?.accessToken, let grant = signIn.grant,
            signIn.screen.client != .authenticator
        else { return }
        let wasOver = grant.hasEnded(at: home.clock.date)
        let form: Form = ["token": token.revealed]
        let request = HomeRequest(
            "/introspect", form.with(HomeClient.service.credentials), from: HomeAddress.services)
        guard case .success(let answer) = try await home.send(request, by: .service), answer.response.status == .ok
        else { return }
        let isActive = try answer.decoded(IntrospectionResponse.self).active
        let isEnded = try await home.isEnded(grant)
        // Its time may have run out on the way of the answer.
        let hasJustEnded = !wasOver && grant.hasEnded(at: home.clock.date)
        guard !(isActive && isEnded && !hasJustEnded) else {
            throw HomeFault(.locked, "a token of \(signIn.label) is active after its end")
        }
        // A refresh whose answer was lost may have replaced it.
        guard isActive || isEnded || signIn.hasLostAnswers else {
            throw HomeFault(.sameOutcome, "a token of \(signIn.label) is not active, and nobody ended it")
        }
    }
}
