import Countersign
import CountersignServer
import CountersignTesting
import CountersignWire

extension JourneyServer {
    /// Registers a site that others wrote, which signs people in as a client with a secret.
    ///
    /// - Parameter audiences: The audiences whose tokens it may ask about.
    func registerSite(
        _ id: ClientID,
        called name: String,
        with secret: ClientSecret,
        for scope: Scope,
        serving audiences: [String] = [],
        _ redirects: RedirectRegistration
    ) async throws {
        var client = Client(
            id: id,
            name: name,
            kind: .confidential(secret.digest),
            grantTypes: [.authorizationCode, .refreshToken],
            scope: scope,
            tokenFormat: .opaque,
            serves: audiences,
            created: clock.date
        )
        client.redirects = redirects
        let registered = client
        try await change { try $0.clients.insert(registered) }
    }

    /// Registers a program that signs a person in by a code, and gets tokens for one service.
    func registerProgram(_ id: ClientID, called name: String, for audience: String) async throws {
        let program = Client(
            id: id,
            name: name,
            kind: .public,
            grantTypes: [.deviceCode, .refreshToken],
            scope: Scope([.openid, .profile, ScopeWord("programmes")]),
            tokenFormat: .opaque,
            audience: audience,
            created: clock.date
        )
        try await change { try $0.clients.insert(program) }
    }
}
