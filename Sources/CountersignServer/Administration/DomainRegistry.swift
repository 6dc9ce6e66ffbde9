package import Countersign
internal import FoundationEssentialsCompat

/// The services of this server: adds, changes and removes them, for the command and for the pages.
package struct DomainRegistry: Registry {
    private let administration: Administration

    package init(_ administration: Administration) {
        self.administration = administration
    }

    /// All services, by their domains.
    package func all() async throws -> [ServiceDomain] {
        try await administration.store.read { try $0.domains.all() }
    }

    /// Some services: at most `limit`, after one.
    package func page(after last: Domain?, limit: Int) async throws -> [ServiceDomain] {
        try await administration.store.read { try $0.domains.page(after: last, limit: limit) }
    }

    package func find(_ name: Domain) async throws -> ServiceDomain? {
        try await administration.store.read { try $0.domains.find(name) }
    }

    /// Adds a service, and returns its credential.
    ///
    /// - Throws: ``DomainDraftError``.
    package func add(_ draft: DomainDraft) async throws -> (ServiceDomain, ServiceCredential) {
        let credential: ServiceCredential = administration.mint.secret()
        let domain = try draft.domain(credential: credential.digest, created: administration.clock.now())
        // Ends the sign-ins and tokens of an earlier service of that name whose removal was interrupted.
        if try await find(domain.name) == nil {
            try await administration.store.endAll(of: domain.name, at: domain.created)
        }
        do {
            try await change { repositories in
                try repositories.domains.insert(domain)
                try Audit(repositories).record(facts(.domainAdded, domain.name))
            }
        } catch StoreError.alreadyExists {
            throw DomainDraftError.taken
        }
        return (domain, credential)
    }

    /// Changes a service: `edit` edits a draft with its current values. `nil` when there is no such service.
    ///
    /// `edit` may run more than once. A service's domain never changes.
    ///
    /// - Throws: ``DomainDraftError``; what `edit` throws.
    package func change(
        _ name: Domain,
        by edit: @escaping @Sendable (inout DomainDraft) throws -> Void
    ) async throws -> ServiceDomain? {
        try await change { repositories in
            guard let domain = try repositories.domains.find(name) else { return nil }
            var draft = DomainDraft(domain)
            try edit(&draft)
            let changed = try draft.applied(to: domain)
            guard changed != domain else { return domain }
            try repositories.domains.update(changed)
            try Audit(repositories).record(facts(.domainChanged, name))
            return changed
        }
    }

    /// Gives a service a new credential; the old one is refused from then on. `nil` when there is no such service.
    package func renewCredential(of name: Domain) async throws -> (ServiceDomain, ServiceCredential)? {
        let credential: ServiceCredential = administration.mint.secret()
        let renewed = try await change { repositories -> ServiceDomain? in
            guard var domain = try repositories.domains.find(name) else { return nil }
            domain.credential = credential.digest
            try repositories.domains.update(domain)
            try Audit(repositories).record(facts(.domainCredentialRenewed, name))
            return domain
        }
        return renewed.map { ($0, credential) }
    }

    /// Removes a service, and ends the sign-ins and tokens for it; returns whether it existed.
    package func remove(_ name: Domain) async throws -> Bool {
        let existed = try await change { repositories in
            guard try repositories.domains.remove(name) else { return false }
            try Audit(repositories).record(facts(.domainRemoved, name))
            return true
        }
        if existed { try await administration.store.endAll(of: name, at: administration.clock.now()) }
        return existed
    }

    private func change<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try await administration.change(.change(.domains), at: administration.clock.now(), body)
    }

    private func facts(_ act: AuditAct, _ name: Domain) -> AuditEntry.Facts {
        administration.administrator.facts(act, at: administration.clock.now(), detail: name.rawValue)
    }
}
