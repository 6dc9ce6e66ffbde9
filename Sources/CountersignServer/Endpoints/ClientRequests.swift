internal import Countersign
internal import CountersignWire
internal import Hummingbird

extension ServerServices {
    /// Reads a form that a client posts beside the token endpoint, and authenticates the client; it counts like a token
    /// request.
    ///
    /// - Parameter isOptional: Whether there may be no form; by default there must be one.
    /// - Throws: ``LimitReached``, ``OAuthError``, or what reading the body throws.
    func authenticatedForm(
        of request: Request,
        isOptional: Bool = false,
        in context: ServerRequestContext
    ) async throws -> (client: AuthenticatedClient, form: Form) {
        let address = context.address(of: request, by: addresses)
        try requestLimiter.admit(.address(.tokenPerAddress, address))
        let submitted = try await request.submittedForm(isOptional: isOptional)
        let client = try await clients.authenticated(submitted.credentials, from: address, holding: context.certificate)
        try admitTokenRequest(of: client, from: address)
        return (client, submitted.form)
    }

    /// Counts a request of a client that has authenticated.
    ///
    /// - Throws: ``LimitReached``.
    func admitTokenRequest(of client: AuthenticatedClient, from address: String?) throws {
        try requestLimiter.admit(.client(.tokenPerClient, client.client.id), from: .address(.tokenPerAddress, address))
    }
}
