internal import Hummingbird

extension ClientAuthentication {
    /// The self-registered device, authenticated by its secret.
    ///
    /// Clients registered by an operator are refused: Cross-Platform Authentication is for self-registered devices
    /// only.
    /// - Throws: ``OAuthError`` or ``CrossPlatformError`` `invalid_client`; ``RateLimitError`` after too many wrong
    ///   proofs.
    func device(
        _ client: ClientID, proving secret: ClientSecret, by request: Request, in context: ServerRequestContext
    ) async throws -> AuthenticatedClient {
        let presented = PresentedCredentials(client: client, secret: secret, method: .clientSecretPost)
        return try await device(presented, from: context.address(of: request, by: addresses))
    }

    /// The same for a device at this address.
    func device(_ presented: PresentedCredentials, from address: String?) async throws -> AuthenticatedClient {
        let proved = try await authenticated(presented, from: address)
        guard case .device = proved.client.registration else {
            throw CrossPlatformError(
                .invalidClient, "client authentication failed",
                because: "\(presented.client) was registered by an operator")
        }
        return proved
    }
}
