/// The services about clients: authentication, registration, and the web pages that may call.
final class ClientServices: Sendable {
    let server: ServerCore
    let authentication: ClientAuthentication
    /// Stores clients that register themselves.
    let registrations: SelfRegistration
    /// The web pages that may call the endpoints of OAuth clients.
    let origins: CrossOriginAccess

    /// - Parameter bases: The base URLs that clients may name as the audience of their assertions.
    init(_ server: ServerCore, bases: [Issuer]) {
        self.server = server
        authentication = ClientAuthentication(
            store: server.store,
            wrongProofs: server.wrongProofs,
            clock: server.clock,
            addresses: server.addresses,
            assertions: ClientAssertions(
                issuer: server.issuer, bases: bases, store: server.store, clock: server.clock)
        )
        registrations = SelfRegistration(
            store: server.store, mint: server.mint, limits: server.limits, clock: server.clock)
        origins = CrossOriginAccess(registered: RegisteredOrigins(of: server.store, clock: server.clock))
    }
}
