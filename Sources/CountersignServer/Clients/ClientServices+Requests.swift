internal import Hummingbird

extension ClientServices {
    /// Reads the form of a client outside the token endpoint, and authenticates the client; it counts like a token
    /// request.
    ///
    /// - Parameter isOptional: Whether there may be no form; by default there must be one.
    /// - Throws: ``RateLimitError``, ``OAuthError``, or what reading the body throws.
    func authenticatedForm(
        of request: Request, isOptional: Bool = false, in context: ServerRequestContext
    ) async throws -> (client: AuthenticatedClient, form: Form) {
        let address = context.address(of: request, by: core.addresses)
        let submitted = try await request.submittedForm(isOptional: isOptional)
        let client = try await countingTokenRequest(from: address) {
            try await authentication.authenticated(submitted.credentials, from: address, holding: context.certificate)
        }
        return (client, submitted.form)
    }

    /// Counts a request once the client has authenticated; one that fails counts for its network.
    ///
    /// - Throws: ``RateLimitError``; what `authenticate` throws.
    func countingTokenRequest(
        from address: String?, _ authenticate: () async throws -> AuthenticatedClient
    ) async throws -> AuthenticatedClient {
        let client: AuthenticatedClient
        do {
            client = try await authenticate()
        } catch let error as OAuthError {
            try core.requestLimiter.admit(.address(.tokenPerAddress, address))
            throw error
        }
        try admitTokenRequest(of: client, from: address)
        return client
    }

    /// Counts a request of an authenticated or public client.
    ///
    /// - Throws: ``RateLimitError``.
    func admitTokenRequest(of client: AuthenticatedClient, from address: String?) throws {
        try core.requestLimiter.admit(
            .party(
                client.client, client.provenance, at: address, perClient: .tokenPerClient,
                perAddress: .tokenPerAddress))
    }

    /// Issues tokens by the registration of a client, and again when that changed in the meantime.
    ///
    /// - Throws: ``OAuthError`` `invalid_client` for a client that cannot be authenticated again,
    ///   `temporarily_unavailable` when the registration changes each time; what `issue` throws.
    func withRegistration<Issued: Sendable>(
        of client: AuthenticatedClient,
        _ issue: (AuthenticatedClient) async throws -> Issued
    ) async throws -> Issued {
        var client = client
        for _ in 0..<RegistrationChangedError.attempts {
            do {
                return try await issue(client)
            } catch let change as RegistrationChangedError {
                client = try authentication.renewed(client, as: change.present)
            }
        }
        throw RegistrationChangedError.tooOften(client.client.id)
    }
}
