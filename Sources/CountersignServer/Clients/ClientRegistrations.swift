internal import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The registrations of clients: how they stand, and until when.
struct ClientRegistrations {
    private let repositories: any Repositories

    init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// The standing of a client right now.
    func standing(of client: ClientID, at now: Date) throws -> Policy.Standing {
        try repositories.clients.find(client)?.standing(at: now) ?? .absent
    }

    /// Makes sure, inside the change that issues tokens, that they are those of the client's present registration; one
    /// that would expire is extended. That of a device is extended by what its token is for, see
    /// ``AccessTokens/beginAnew(_:for:keepingItFor:at:)``.
    ///
    /// A client that was removed is refused by policy.
    /// - Throws: ``RegistrationChangedError``.
    func require(_ client: Client, at now: Date) throws {
        guard let present = try repositories.clients.find(client.id) else { return }
        guard present.agrees(with: client) else { throw RegistrationChangedError(present: present) }
        if case .device = present.registration { return }
        _ = try prolong(present, at: now)
    }

    /// Extends the registration of a client that gets a token, and returns its new end; `nil` when it does not expire.
    /// It is written at most once a day.
    ///
    /// - Parameter span: The time until the registration expires without another token, in seconds.
    func prolong(_ client: ClientID, for span: TimeInterval = Client.lifetime, at now: Date) throws -> Date? {
        guard let client = try repositories.clients.find(client) else { return nil }
        return try prolong(client, for: span, at: now)
    }

    /// The same for a client that was looked up in this change.
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
