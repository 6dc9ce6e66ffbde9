import Countersign
import CountersignServer
import CountersignTesting
import CountersignWire

extension JourneyServer {
    /// Registers a site that others wrote, which signs people in as a client with a secret.
    func registerSite(
        _ id: ClientID,
        called name: String,
        with secret: ClientSecret,
        for scope: Scope,
        _ redirects: RedirectRegistration
    ) async throws {
        var client = Client(
            id: id,
            name: name,
            kind: .confidential(secret.digest),
            grantTypes: [.authorizationCode, .refreshToken],
            scope: scope,
            tokenFormat: .opaque,
            created: clock.date
        )
        client.redirects = redirects
        let registered = client
        try await change { try $0.clients.insert(registered) }
    }
}
