/// The services about clients: authentication, registration, and the web pages that may call.
final class ClientServices: Sendable {
    let core: ServerCore
    let authentication: ClientAuthentication
    /// Stores clients that register themselves.
    let registrations: SelfRegistration
    /// The web pages that may call the endpoints of OAuth clients.
    let origins: CrossOriginAccess

    /// - Parameter bases: The base URLs that clients may name as the audience of their assertions.
    init(_ core: ServerCore, bases: [Issuer]) {
        self.core = core
        authentication = ClientAuthentication(
            store: core.store,
            wrongProofs: core.wrongProofs,
            clock: core.clock,
            addresses: core.addresses,
            assertions: ClientAssertions(
                issuer: core.issuer, bases: bases, store: core.store, clock: core.clock)
        )
        registrations = SelfRegistration(
            store: core.store, mint: core.mint, limits: core.limits, clock: core.clock)
        origins = CrossOriginAccess(registered: RegisteredOrigins(of: core.store, clock: core.clock))
    }
}
