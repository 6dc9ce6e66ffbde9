internal import HTTPTypes
internal import Hummingbird

/// The endpoints for the registration of clients; mounted only if the settings allow it.
///
/// Standard: RFC 7591; RFC 7592; OpenID Connect Dynamic Client Registration 1.0.
struct ClientRegistrationEndpoints: Sendable {
    let core: ServerCore
    let clients: ClientServices
    let policy: RegistrationPolicy

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        let registration = ClientRegistrationEndpoint(core: core, clients: clients, policy: policy)
        let configuration = ClientConfigurationEndpoint(core: core, clients: clients, policy: policy)
        registration.mount(on: router)
        configuration.mount(on: router)
    }
}

extension Request {
    /// The bytes of a JSON body.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` for another content type, or a body that is too long.
    func jsonBody() async throws -> [UInt8] {
        Array(try await body(of: "application/json"))
    }
}

extension ClientInformation {
    /// The registration of a client, for the client.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - token: The token that manages its registration.
    ///   - secret: Its new secret; `nil` otherwise, since only the digest is stored.
    ///   - issuer: The server.
    init(_ client: Client, token: AccessToken, secret: ClientSecret?, at issuer: Issuer) {
        self.init(
            client: client.id,
            issued: client.created.numericDate,
            configurationURI: issuer.appending("register/\(client.id)"),
            token: token,
            metadata: client.metadata ?? ClientMetadata()
        )
        self.secret = secret
    }
}
