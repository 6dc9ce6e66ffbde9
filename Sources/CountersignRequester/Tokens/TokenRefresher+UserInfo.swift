internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes

extension TokenRefresher {
    /// The claims of the server about the person, as of now. The server asks its policy again, so that this tells, too,
    /// whether the sign-in still holds.
    ///
    /// - Throws: ``SignInError`` `signed_out` when it does not, `account_locked` when the server says so;
    ///   `flow_not_offered` when the server does not tell of people; otherwise as ``signedIn(forAtLeast:)``.
    ///
    /// Standard: OpenID Connect Core 1.0 §5.3; RFC 6750 §3.1.
    package func userInfo() async throws(SignInError) -> UserInfoClaims {
        let signedIn = try await signedIn()
        guard let endpoint = try await conversation(client, proving: signedIn.key).server.userInfo else {
            throw SignInError(.flowNotOffered, because: "no endpoint for claims")
        }
        let asked = endpoint.request(.get)
        let request = try present(signedIn, in: asked, to: try target(of: asked))
        var answer = try await answer(to: request)
        if let again = try await authorized(request, after: answer.response) {
            answer = try await self.answer(to: again)
        }
        guard answer.response.status != .unauthorized else {
            throw SignInError(.signedOut, because: "the server refuses the access token")
        }
        let final = answer
        return try await client.retrier.attempt { () async throws(StepError) in
            try final.success(UserInfoClaims.self)
        }
    }

    private func answer(to request: HTTPRequest) async throws(SignInError) -> HTTPAnswer {
        let (transport, limit) = (client.context.transport, client.options.timeLimit)
        return try await client.retrier.attempt { () async throws(StepError) in
            let answer = try await transport.answer(to: request, within: limit)
            try answer.refuseTemporaryFailure()
            return answer
        }
    }
}
