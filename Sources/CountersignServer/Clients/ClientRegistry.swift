package import FoundationEssentialsCompat

/// Adds, changes and removes the clients of an operator, for the command and the pages.
package struct ClientRegistry: Registry {
    /// The refusal of a change.
    package enum ChangeError: Error, Sendable, Equatable {
        /// It is an app on a device that registered itself.
        case isDevice
        /// It registered itself, and changes its registration itself.
        case isSelfRegistered
        /// It has no secret.
        case isPublic
        /// It authenticates by its keys or its certificate, and has no secret.
        case hasKeys
        /// It is a site, which has a separate secret.
        case isEnvironment
        /// Its security profile or its registration for the back channel does not allow the change; the sentence says
        /// why.
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

    /// Some of the same clients: at most `limit`, after one.
    package func page(after last: ClientID?, limit: Int) async throws -> [Client] {
        try await administration.store.read { try $0.clients.page(after: last, limit: limit) }
    }

    /// Adds a client, after the end of leftovers of an earlier client of the same identifier.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - also: Runs in the same change after the insertion; nothing by default.
    /// - Throws: ``StoreError/alreadyExists`` when the identifier is taken; ``ChangeError/unfit(_:)``;
    ///   ``Administrator/NotAdministratorError``; errors of the store.
    package func add(
        _ client: Client,
        also: @escaping @Sendable (any Repositories) throws -> Void = { _ in }
    ) async throws {
        try await prepare(for: client)
        try await administration.change(.change(.clients), at: administration.clock.now()) { repositories in
            try insert(client, in: repositories)
            try also(repositories)
        }
    }

    /// Adds the clients whose identifiers are free, as one change, after the end of leftovers of earlier clients.
    ///
    /// - Returns: The identifiers of those that were added.
    /// - Throws: ``ChangeError/unfit(_:)``; ``Administrator/NotAdministratorError``; errors of the store. Then none was
    ///   added, unless the outcome is unknown.
    package func addMissing(_ clients: [Client]) async throws -> Set<ClientID> {
        for client in clients { try await prepare(for: client) }
        return try await administration.change(.change(.clients), at: administration.clock.now()) { repositories in
            let missing = try clients.filter { try repositories.clients.find($0.id) == nil }
            for client in missing { try insert(client, in: repositories) }
            return Set(missing.map(\.id))
        }
    }

    /// Ends the leftovers of an earlier client, whose removal may have been interrupted.
    private func prepare(for client: Client) async throws {
        try requireFit(client)
        if try await administration.store.read({ try $0.clients.find(client.id) }) == nil {
            try await administration.store.endAll(of: client.id, at: client.created)
        }
    }

    private func insert(_ client: Client, in repositories: any Repositories) throws {
        try repositories.clients.insert(client)
        try repositories.exchanges.removeAll(of: client.id)
        try forgetAuthorizations(of: client.id, in: repositories)
        try Audit(repositories).record(facts(.clientAdded, client.id, at: client.created))
    }

    /// Changes a client atomically.
    ///
    /// - Parameters:
    ///   - id: The client's identifier, which never changes.
    ///   - edit: Changes the current registration; may run more than once.
    /// - Returns: The client, and whether it changed; `nil` when there is none.
    /// - Throws: ``ChangeError/isDevice``, ``ChangeError/isSelfRegistered``, ``ChangeError/unfit(_:)``; what `edit`
    ///   throws; errors of the store.
    package func change(
        _ id: ClientID, by edit: @escaping @Sendable (inout Client) throws -> Void
    ) async throws -> (client: Client, isChanged: Bool)? {
        let now = administration.clock.now()
        return try await administration.change(.change(.clients), at: now) { repositories in
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
    /// Only one replaced secret is accepted at a time.
    ///
    /// - Parameters:
    ///   - id: The client's identifier.
    ///   - span: The remaining time of the current secret, in seconds; 0 ends it at once.
    /// - Returns: The client and its new secret; `nil` when there is no such client.
    /// - Throws: ``ChangeError``; errors of the store.
    package func renewSecret(
        of id: ClientID, keepingOldFor span: TimeInterval
    ) async throws -> (Client, ClientSecret)? {
        let secret: ClientSecret = administration.mint.secret()
        let now = administration.clock.now()
        let changed = try await administration.change(.change(.clients), at: now) { repositories -> Client? in
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

    /// Removes a client, and its site. Its requests end in the same change; its sign-ins and tokens, which are
    /// invalid without it, are removed afterwards.
    ///
    /// - Parameter id: The client's identifier.
    /// - Returns: Whether there was such a client.
    /// - Throws: ``Administrator/NotAdministratorError``; errors of the store.
    package func remove(_ id: ClientID) async throws -> Bool {
        let now = administration.clock.now()
        let existed = try await administration.change(.change(.clients), at: now) { repositories in
            return try remove(id, in: repositories) { facts($0, id, at: now) }
        }
        // Leftovers of an earlier client of that identifier end, too.
        try await administration.store.endAll(of: id, at: now)
        return existed
    }

    /// Removes a self-registered client at its request.
    ///
    /// - Parameters:
    ///   - id: The client's identifier.
    ///   - isAllowed: Whether the current client may be removed; may run more than once.
    /// - Returns: Whether there was such a client.
    /// - Throws: Errors of the store.
    package func removeByItself(
        _ id: ClientID, if isAllowed: @escaping @Sendable (Client) -> Bool
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
        _ id: ClientID, in repositories: any Repositories, auditedAs facts: (AuditAct) -> AuditEntry.Facts
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

    /// Removes the consents to a client, and its pushed requests.
    private func forgetAuthorizations(of client: ClientID, in repositories: any Repositories) throws {
        try repositories.consents.removeAll(of: client)
        try repositories.pushedRequests.removeAll(of: client)
    }

    /// The objection to a registration by an operator, in a sentence; `nil` for none.
    package static func objection(to client: Client) -> String? {
        Client.page(client.id) != nil
            ? "This identifier is that of a page of the server."
            : client.redirects.profile?.objection(to: client) ?? client.redirects.pkce.objection(to: client)
                ?? client.backchannel.objection(to: client)
    }

    private func requireFit(_ client: Client) throws {
        if let objection = Self.objection(to: client) { throw ChangeError.unfit(objection) }
    }

    private func registered(_ id: ClientID, in repositories: any Repositories) throws -> Client? {
        guard let client = try repositories.clients.find(id) else { return nil }
        switch client.registration {
        case .operator: return client
        case .device: throw ChangeError.isDevice
        case .dynamic: throw ChangeError.isSelfRegistered
        }
    }

    private func facts(_ act: AuditAct, _ id: ClientID, at now: Date, detail: String? = nil) -> AuditEntry.Facts {
        administration.administrator.facts(act, at: now, client: id, detail: detail)
    }
}
