internal import CountersignWire

extension ServerConversation {
    /// Asks for a person's decision over the back channel.
    ///
    /// Standard: OpenID CIBA Core 1.0 §7.
    func asked(_ form: Form) async throws(StepError) -> BackchannelAuthenticationResponse {
        guard let endpoint = server.backchannel else {
            throw .final(SignInError(.flowNotOffered, because: "no endpoint for the back channel"))
        }
        return try await post(form, to: endpoint, within: options.timeLimit).success()
    }
}
