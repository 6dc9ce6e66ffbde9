internal import Countersign
internal import CountersignWire

extension SignIn {
    /// Shows codes, waits until a person has decided, and returns the tokens.
    func tokens(through conversation: ServerConversation) async throws(SignInError) -> TokenResponse {
        let announcer = announcer
        let insecure = client.options.allowingInsecureHTTP
        let drive = PollingDrive<TokenResponse>(
            rules: client.options.rules,
            clock: client.context.clock,
            announce: { announcer.announce($0) },
            start: { () async throws(SignInError) in
                let response = try await codes(through: conversation)
                return PollingDrive.IssuedCode(code: response.awaited) { deadline throws(SignInError) in
                    let invitation = try Invitation(response, until: deadline, allowingInsecureHTTP: insecure)
                    announcer.announce(.invitation(invitation))
                    return invitation.verificationURIComplete
                }
            },
            ask: { code, wait, number throws(SignInError) in
                guard let nearby else { return try await conversation.poll(code, holding: wait, showing: number) }
                return try await conversation.poll(code, holding: wait, showing: number, naming: nearby)
            },
            hint: hint
        )
        return try await drive.run()
    }

    /// Returns once a phone nearby was asked, whose person may decide in a moment.
    private var hint: (@Sendable () async -> Void)? {
        guard let nearby else { return nil }
        return { await nearby.change(since: NearbyLinks()) }
    }

    /// Asks the server for a pair of codes; with phones nearby, the request carries a challenge for them.
    private func codes(
        through conversation: ServerConversation
    ) async throws(SignInError) -> DeviceAuthorizationResponse {
        let asked = DeviceAuthorizationRequest(
            scope: scope,
            deviceName: deviceName.flatMap { DeviceAuthorizationRequest.presentable($0) },
            nearbyChallenge: nearby?.begin(drawingFrom: client.context.random)
        )
        let response = try await client.retrier.attempt { () async throws(StepError) in
            try await conversation.codes(for: asked)
        }
        nearby?.began(at: issuer, with: response.userCode)
        return response
    }
}
