public import CountersignWire
internal import Countersign

extension BackchannelSignIn {
    /// The request that asks a person to authenticate as a service has demanded; ``start(_:expectingCalls:)`` sends it.
    ///
    /// ```swift
    /// let asked = signIn.request(answering: challenge, for: .login("anna"))
    /// ```
    ///
    /// It requests the authentication classes, and the scopes of the challenge and of the sign-in. There is no
    /// `max_age` over the back channel: an enrolled device answers with the sign-in of its enrollment, and `auth_time`
    /// stays the time of that sign-in. A person who answers on the pages of the server, by a passkey or after they
    /// signed in again, has authenticated now. So ask once for a challenge with
    /// ``CountersignWire/StepUpChallenge/maxAge``, and send the person to the pages when the service is not content.
    ///
    /// Standard: RFC 9470 §4; OpenID CIBA Core 1.0 §7.1 (`acr_values`).
    ///
    /// - Parameters:
    ///   - challenge: The service's challenge.
    ///   - person: The person who has to authenticate: the one behind the token that the service refused.
    /// - Returns: The request, without a message.
    public func request(
        answering challenge: StepUpChallenge,
        for person: PersonHint
    ) -> BackchannelAuthenticationRequest {
        let wanted = Scope(scope.words + (challenge.scope?.words ?? []))
        var request = BackchannelAuthenticationRequest(for: person, scope: wanted)
        request.acrValues = challenge.acrValues
        return request
    }
}
