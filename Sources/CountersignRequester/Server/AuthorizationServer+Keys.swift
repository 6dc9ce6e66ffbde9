internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes

extension VerifiedServer {
    /// Gets the server's signing keys.
    ///
    /// - Parameter limit: The time limit of the request.
    /// - Throws: ``StepError``; permanent when the server names no keys, or their set cannot be read.
    ///
    /// Standard: RFC 7517 §5.
    func keySet(over transport: any HTTPTransport, within limit: Duration) async throws(StepError) -> JSONWebKeySet {
        guard let keys else {
            throw .final(SignInError(.identityRefused, because: "the server names no keys"))
        }
        return try await transport.answer(to: keys.request(.get), within: limit).success(orAs: HTTPAnswer.staticMedia)
    }
}
