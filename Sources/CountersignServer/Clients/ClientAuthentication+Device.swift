internal import Countersign
internal import CountersignWire
internal import Hummingbird

extension ClientAuthentication {
    /// The device that registered itself and proves it by its secret.
    ///
    /// A client that an operator registered is none: it has nothing to ask in this dialect.
    /// - Throws: ``OAuthError`` or ``CrossPlatformError`` `invalid_client`; ``LimitReached`` after too many wrong ones.
    func device(
        _ client: ClientID,
        proving secret: ClientSecret,
        by request: Request,
        in context: ServerRequestContext
    ) async throws -> AuthenticatedClient {
        let presented = PresentedCredentials(client: client, secret: secret, method: .clientSecretPost)
        let proved = try await authenticated(presented, by: request, in: context)
        guard case .device = proved.client.registration else {
            throw CrossPlatformError(
                .invalidClient,
                "client authentication failed",
                because: "\(client) was registered by an operator"
            )
        }
        return proved
    }
}
