internal import Countersign
package import CountersignWire
package import FoundationEssentialsCompat

/// The sites that an operator manages: adds, changes and removes them, each together with its client.
package struct CustomerSiteRegistry: Registry {
    private let administration: Administration
    private let clients: ClientRegistry
    private let keys: KeyRing

    package init(_ administration: Administration) {
        self.administration = administration
        clients = ClientRegistry(administration)
        keys = KeyRing(store: administration.store, mint: administration.mint, clock: administration.clock)
    }

    /// All sites, the oldest first.
    package func all() async throws -> [CustomerSite] {
        try await administration.store.read { try $0.environments.all() }
    }

    /// Some of the same sites by identifier: at most `limit`, after one.
    package func page(after last: CustomerSiteID?, limit: Int) async throws -> [CustomerSite] {
        try await administration.store.read { try $0.environments.page(after: last, limit: limit) }
    }

    /// One site; `nil` when there is none.
    package func find(_ id: CustomerSiteID) async throws -> CustomerSite? {
        try await administration.store.read { try $0.environments.find(id) }
    }

    /// Adds a site, and the client that it is.
    ///
    /// - Parameters:
    ///   - draft: The details that are known of it.
    /// - Returns: The site and its secret, which is not stored in the clear.
    /// - Throws: ``CustomerSiteDraftError``; errors of the store.
    package func add(
        _ draft: CustomerSiteDraft
    ) async throws -> (CustomerSite, CustomerSiteSecret) {
        let now = administration.clock.now()
        let id = CustomerSiteID(administration.mint.uuid())
        let secret: CustomerSiteSecret = administration.mint.secret()
        let sealed = try await keys.current().sealed(secret, of: id)
        let site = try draft.applied(
            to: CustomerSite(id: id, name: "", secret: sealed, created: now))
        let client = Client(
            id: site.client,
            name: site.name,
            kind: .confidential(secret.digest),
            grantTypes: [.backchannelAuthentication],
            scope: Scope([.openid]),
            tokenFormat: .opaque,
            created: now
        )
        try await clients.add(client) { repositories in
            try repositories.environments.insert(site)
            try Audit(repositories).record(facts(.environmentAdded, site, at: now, detail: site.name))
        }
        return (site, secret)
    }

    /// Changes a site as one step; its client takes the same name.
    ///
    /// - Parameters:
    ///   - id: The site.
    ///   - edit: Edits a draft with what it is at that moment; may run more than once.
    /// - Returns: The site after the change, and whether anything changed; `nil` when there is none.
    /// - Throws: ``CustomerSiteDraftError``; what `edit` throws; errors of the store.
    package func change(
        _ id: CustomerSiteID,
        by edit: @escaping @Sendable (inout CustomerSiteDraft) throws -> Void
    ) async throws -> (site: CustomerSite, isChanged: Bool)? {
        let now = administration.clock.now()
        return try await administration.change(.change(.sites), at: now) { repositories in
            guard let site = try repositories.environments.find(id) else { return nil }
            var draft = CustomerSiteDraft(site)
            try edit(&draft)
            let changed = try draft.applied(to: site)
            guard changed != site else { return (site, false) }
            try repositories.environments.update(changed)
            if changed.name != site.name, var client = try repositories.clients.find(site.client) {
                client.name = changed.name
                try repositories.clients.update(client)
            }
            try Audit(repositories).record(facts(.environmentChanged, site, at: now))
            return (changed, true)
        }
    }

    /// Gives a site a new secret, which is the secret of its client too.
    ///
    /// - Parameters:
    ///   - id: The site.
    ///   - span: The time that the current secret is accepted from now on, in seconds; 0 ends it at once.
    /// - Returns: The site and its new secret; `nil` when there is no such site.
    /// - Throws: Errors of the store.
    package func renewSecret(
        of id: CustomerSiteID,
        keepingOldFor span: TimeInterval
    ) async throws -> (CustomerSite, CustomerSiteSecret)? {
        let now = administration.clock.now()
        let secret: CustomerSiteSecret = administration.mint.secret()
        let sealed = try await keys.current().sealed(secret, of: id)
        let changed = try await administration.change(.change(.sites), at: now) { repositories -> CustomerSite? in
            guard var site = try repositories.environments.find(id) else { return nil }
            let old = CustomerSite.ReplacedSecret(sealed: site.secret, ends: now + span)
            site.replaced = span > 0 ? old : nil
            site.secret = sealed
            try repositories.environments.update(site)
            if var client = try repositories.clients.find(site.client),
                case .confidential(let digest, _) = client.kind
            {
                let replaced = span > 0 ? Client.ReplacedSecret(digest: digest, ends: now + span) : nil
                client.kind = .confidential(secret.digest, replaced: replaced)
                try repositories.clients.update(client)
            }
            let detail = span > 0 ? "the old one is accepted until \((now + span).formatted(.iso8601))" : nil
            try Audit(repositories).record(
                facts(.environmentSecretRenewed, site, at: now, detail: detail ?? "the old one ended at once"))
            return site
        }
        return changed.map { ($0, secret) }
    }

    /// Removes a site and its client, and ends its open requests.
    ///
    /// - Parameter id: The site.
    /// - Returns: Whether there was such a site.
    /// - Throws: Errors of the store.
    package func remove(_ id: CustomerSiteID) async throws -> Bool {
        guard let site = try await find(id) else { return false }
        if try await clients.remove(site.client) { return true }
        // The client is gone already.
        let now = administration.clock.now()
        return try await administration.change(.change(.sites), at: now) { repositories in
            guard try repositories.environments.remove(id) else { return false }
            try Audit(repositories).record(facts(.environmentRemoved, site, at: now))
            return true
        }
    }

    private func facts(
        _ act: AuditAct,
        _ site: CustomerSite,
        at now: Date,
        detail: String? = nil
    ) -> AuditEntry.Facts {
        administration.administrator.facts(act, at: now, client: site.client, detail: detail)
    }
}

extension Keys {
    /// A secret of a site as it is stored.
    ///
    /// - Throws: `CryptoKitError`, which does not happen with a key in memory.
    func sealed(_ secret: CustomerSiteSecret, of id: CustomerSiteID) throws -> CustomerSite.SealedSecret {
        CustomerSite.SealedSecret(
            restoring: try seal.sealed(Array(secret.revealed.utf8), for: .secret(of: id)))
    }

    /// The secret of a site; `nil` when it was sealed for another one, or under a key that is gone.
    func opened(_ sealed: CustomerSite.SealedSecret, of id: CustomerSiteID) -> CustomerSiteSecret? {
        seal.opened(sealed.bytes, for: .secret(of: id)).map {
            CustomerSiteSecret(revealing: String(decoding: $0, as: UTF8.self))
        }
    }
}
