internal import Countersign
internal import CountersignWire

extension ServerConversation {
    /// Asks for a person's decision over the back channel.
    ///
    /// Standard: OpenID CIBA Core 1.0 §7.
    func asked(_ form: Form) async throws(StepFailure) -> BackchannelAuthenticationResponse {
        guard let endpoint = server.backchannelAuthentication else {
            throw .final(SignInError(.flowNotOffered, because: "no endpoint for the back channel"))
        }
        return try await post(form, to: endpoint, within: options.timeLimit).success()
    }

    /// Asks once for the tokens of a request over the back channel.
    ///
    /// - Throws: ``SignInError`` `cancelled` only: every other outcome is an answer.
    func poll(
        _ request: AuthenticationRequestID,
        holding wait: WaitPreference?
    ) async throws(SignInError) -> DeviceAuthorizationPolling.Answer {
        try await poll(TokenRequest.backchannelAuthentication(request), holding: wait)
    }
}
