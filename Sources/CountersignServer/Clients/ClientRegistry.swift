package import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The clients that an operator registers: adds, changes and removes them, for the command and for the pages.
package struct ClientRegistry: Registry {
    /// Why a client is not changed.
    package enum ChangeError: Error, Sendable, Equatable {
        /// It is an app on a device that registered itself.
        case isDevice
        /// It registered itself, and changes its registration itself.
        case isSelfRegistered
        /// It has no secret that could be renewed.
        case isPublic
        /// It authenticates by its keys or its certificate, and has no secret that could be renewed.
        case hasKeys
        /// It is a site, whose secret is renewed with it.
        case isEnvironment
        /// Its security profile, or how it asks over the back channel, does not allow the registration; the sentence
        /// says why.
        case unfit(String)
    }

    private let administration: Administration

    package init(_ administration: Administration) {
        self.administration = administration
    }

    /// The clients that an operator registered, or that registered with a token of an operator, by identifier.
    package func all() async throws -> [Client] {
        try await administration.store.read { try $0.clients.all() }
    }

    /// Adds a client. What is left of an earlier client of the same identifier ends first.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - also: Runs in the same change after the client was added; nothing by default.
    /// - Throws: ``StoreError/alreadyExists`` when the identifier is taken; ``ChangeError/unfit(_:)``;
    ///   ``Administrator/NotAdministratorError``; errors of the store.
    package func add(
        _ client: Client,
        also: @escaping @Sendable (any Repositories) throws -> Void = { _ in }
    ) async throws {
        try requireFit(client)
        // The removal of the earlier one may have been interrupted.
        if try await administration.store.read({ try $0.clients.find(client.id) }) == nil {
            try await administration.store.endAll(of: client.id, at: client.created)
        }
        try await administration.change(at: administration.clock.now()) { repositories in
            try repositories.clients.insert(client)
            try repositories.exchanges.removeAll(of: client.id)
            try forgetAuthorizations(of: client.id, in: repositories)
            try Audit(repositories).record(facts(.clientAdded, client.id, at: client.created))
            try also(repositories)
        }
    }

    /// Changes a client as one step.
    ///
    /// - Parameters:
    ///   - id: The client's identifier, which never changes.
    ///   - edit: Changes the registration as it is at that moment; may run more than once.
    /// - Returns: The client as it is afterwards, and whether it was another before; `nil` when there is none.
    /// - Throws: ``ChangeError/isDevice``, ``ChangeError/isSelfRegistered``, ``ChangeError/unfit(_:)``; what `edit` throws; errors
    ///   of the store.
    package func change(
        _ id: ClientID,
        by edit: @escaping @Sendable (inout Client) throws -> Void
    ) async throws -> (client: Client, isChanged: Bool)? {
        let now = administration.clock.now()
        return try await administration.change(at: now) { repositories in
            guard let client = try registered(id, in: repositories) else { return nil }
            var changed = client
            try edit(&changed)
            guard changed != client else { return (client, false) }
            try requireFit(changed)
            try repositories.clients.update(changed)
            try Audit(repositories).record(facts(.clientChanged, id, at: now))
            return (changed, true)
        }
    }

    /// Gives a client a new secret.
    ///
    /// Only one old secret is accepted at a time: if the current one was itself new, the one before ends at once.
    ///
    /// - Parameters:
    ///   - id: The client's identifier.
    ///   - span: For how many seconds the current secret is accepted from now on; 0 ends it at once.
    /// - Returns: The client and its new secret; `nil` when there is no such client.
    /// - Throws: ``ChangeError``; errors of the store.
    package func renewSecret(
        of id: ClientID,
        keepingOldFor span: TimeInterval
    ) async throws -> (Client, ClientSecret)? {
        let secret: ClientSecret = administration.mint.secret()
        let now = administration.clock.now()
        let changed = try await administration.change(at: now) { repositories -> Client? in
            guard var client = try registered(id, in: repositories) else { return nil }
            guard try repositories.environments.find(CustomerSiteID(id.rawValue)) == nil else {
                throw ChangeError.isEnvironment
            }
            guard case .confidential(let old, _) = client.kind else {
                throw client.kind == .public ? ChangeError.isPublic : ChangeError.hasKeys
            }
            let replaced = span > 0 ? Client.ReplacedSecret(digest: old, ends: now + span) : nil
            client.kind = .confidential(secret.digest, replaced: replaced)
            try repositories.clients.update(client)
            let detail = replaced.map { "the old one is accepted until \($0.ends.formatted(.iso8601))" }
            try Audit(repositories).record(
                facts(.clientSecretRenewed, id, at: now, detail: detail ?? "the old one ended at once")
            )
            return client
        }
        return changed.map { ($0, secret) }
    }

    /// Removes a client, and the site that it is, if it is one. Its codes end in the same change, whether they
    /// wait, are approved or are denied; its sign-ins and tokens, which are invalid without it, are removed right after
    /// that.
    ///
    /// - Parameter id: The client's identifier.
    /// - Returns: Whether there was such a client.
    /// - Throws: ``Administrator/NotAdministratorError``; errors of the store.
    package func remove(_ id: ClientID) async throws -> Bool {
        let now = administration.clock.now()
        let existed = try await administration.change(at: now) { repositories in
            return try remove(id, in: repositories) { facts($0, id, at: now) }
        }
        // Leftovers of the removal of an earlier client of that name end, too.
        try await administration.store.endAll(of: id, at: now)
        return existed
    }

    /// Removes a client that registered itself, in the same way, as it asks.
    ///
    /// - Parameters:
    ///   - id: The client's identifier.
    ///   - isAllowed: Whether the client may be removed as it is at that moment; may run more than once.
    /// - Returns: Whether there was such a client.
    /// - Throws: Errors of the store.
    package func removeByItself(
        _ id: ClientID,
        if isAllowed: @escaping @Sendable (Client) -> Bool
    ) async throws -> Bool {
        let now = administration.clock.now()
        let existed = try await administration.store.change { repositories in
            guard let client = try repositories.clients.find(id), isAllowed(client) else { return false }
            return try remove(id, in: repositories) { AuditEntry.Facts(at: now, $0, by: .client, client: id) }
        }
        if existed { try await administration.store.endAll(of: id, at: now) }
        return existed
    }

    private func remove(
        _ id: ClientID,
        in repositories: any Repositories,
        auditedAs facts: (AuditAct) -> AuditEntry.Facts
    ) throws -> Bool {
        guard try repositories.clients.remove(id) else { return false }
        try repositories.exchanges.removeAll(of: id)
        try forgetAuthorizations(of: id, in: repositories)
        if try repositories.environments.remove(CustomerSiteID(id.rawValue)) {
            _ = try repositories.devices.removeEnrollments(in: CustomerSiteID(id.rawValue))
            try Audit(repositories).record(facts(.environmentRemoved))
        }
        try Audit(repositories).record(facts(.clientRemoved))
        return true
    }

    /// Removes what people allowed a client, and the requests that it stored beforehand.
    private func forgetAuthorizations(of client: ClientID, in repositories: any Repositories) throws {
        try repositories.consents.removeAll(of: client)
        try repositories.pushedRequests.removeAll(of: client)
    }

    private func requireFit(_ client: Client) throws {
        let objection =
            client.redirects.profile?.objection(to: client) ?? client.redirects.pkce.objection(to: client)
            ?? client.backchannel.objection(to: client)
        if let objection { throw ChangeError.unfit(objection) }
    }

    private func registered(_ id: ClientID, in repositories: any Repositories) throws -> Client? {
        guard let client = try repositories.clients.find(id) else { return nil }
        switch client.registration {
        case .operator: return client
        case .device: throw ChangeError.isDevice
        case .dynamic: throw ChangeError.isSelfRegistered
        }
    }

    private func facts(
        _ act: AuditAct,
        _ id: ClientID,
        at now: Date,
        detail: String? = nil
    ) -> AuditEntry.Facts {
        administration.administrator.facts(act, at: now, client: id, detail: detail)
    }
}
