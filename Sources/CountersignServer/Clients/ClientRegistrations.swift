internal import FoundationEssentialsCompat

/// The registrations of clients: their standing, and their expiry.
struct ClientRegistrations {
    private let repositories: any Repositories

    init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// The requester of a request: a registered client, or a page of this server; `nil` for a client that was removed.
    func requester(_ client: ClientID) throws -> Client? {
        try Client.page(client) ?? repositories.clients.find(client)
    }

    /// The current standing of a requester.
    func standing(of client: ClientID, at now: Date) throws -> Policy.Standing {
        try requester(client)?.standing(at: now) ?? .absent
    }

    /// Requires an unchanged registration in the change that issues tokens, and extends one that expires. That of a
    /// device is extended by ``AccessTokens/beginAnew(_:for:keepingItFor:at:)``.
    ///
    /// Policy refuses a removed client.
    /// - Throws: ``RegistrationChangedError``.
    func require(_ client: Client, at now: Date) throws {
        guard let present = try repositories.clients.find(client.id) else { return }
        guard present.agrees(with: client) else { throw RegistrationChangedError(present: present) }
        if case .device = present.registration { return }
        _ = try prolong(present, at: now)
    }

    /// Extends the registration of a client that receives a token, and returns its new end; `nil` when it does not
    /// expire. It is written at most once a day.
    ///
    /// - Parameter span: The time until the registration expires without another token, in seconds.
    func prolong(_ client: ClientID, for span: TimeInterval = Client.lifetime, at now: Date) throws -> Date? {
        guard let client = try repositories.clients.find(client) else { return nil }
        return try prolong(client, for: span, at: now)
    }

    /// The same for a client from a look-up in this change.
    func prolong(_ client: Client, for span: TimeInterval = Client.lifetime, at now: Date) throws -> Date? {
        guard let expires = client.registration.expires else { return nil }
        let later = now + span
        guard later.timeIntervalSince(expires) >= 86_400 else { return expires }
        var client = client
        client.registration.prolong(until: later)
        try repositories.clients.update(client)
        return later
    }
}
