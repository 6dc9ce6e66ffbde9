internal import CountersignWire

extension ProviderProfile {
    /// Finds the provider's server: by its metadata, or by the endpoints that are described.
    ///
    /// - Parameters:
    ///   - flow: The flow that needs the server.
    ///   - needsKeys: Whether an ID token will have to be verified.
    ///   - retrier: Repeats the request for the metadata.
    func server(
        for flow: ServerDiscovery.Flow,
        needsKeys: Bool,
        options: SignInOptions,
        in context: RequesterContext,
        retrying retrier: Retrier
    ) async throws(SignInError) -> VerifiedServer {
        switch endpoints {
        case .discovered(at: let issuer):
            let discovery = ServerDiscovery(
                issuer: issuer, transport: context.transport, options: options, needsKeys: needsKeys, flow: flow)
            return try await retrier.attempt { () async throws(StepError) in try await discovery.server() }
        case .fixed(let authorization, let token, let keys):
            let insecure = options.allowingInsecureHTTP
            return VerifiedServer(
                issuer: name,
                authorization: try Endpoint(authorization, named: "authorization", allowingInsecureHTTP: insecure),
                token: try Endpoint(token, named: "token", allowingInsecureHTTP: insecure),
                keys: try keys.map { text throws(SignInError) in
                    try Endpoint(text, named: "keys", allowingInsecureHTTP: insecure)
                }
            )
        }
    }
}
