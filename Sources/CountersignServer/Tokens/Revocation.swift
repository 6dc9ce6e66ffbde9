package import Countersign
package import FoundationEssentialsCompat

/// Takes back what people approved: signs screens out, withdraws consents and approvals, and removes devices.
package struct Revocation {
    let repositories: any Repositories

    package init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// Signs a person out everywhere, in browsers too, withdraws their approvals that were not redeemed yet, and
    /// forgets what they allowed apps, and the devices that answer for them: those have to be enrolled anew, by new
    /// tickets.
    ///
    /// - Parameters:
    ///   - subject: The person.
    ///   - actor: The party that the audit names; an operator by default.
    ///   - now: The current time.
    package func endAll(of subject: Subject, as actor: AuditActor = .operator, at now: Date) throws {
        try repositories.browserSessions.removeAll(of: subject)
        try repositories.browserPushes.removeAll(of: subject)
        try Approvals(repositories).cancelAll(of: subject, as: actor, at: now)
        try repositories.consents.removeAll(of: subject)
        try RememberedScreens(repositories).endAll(of: subject, as: actor, at: now)
        try SignIns(repositories).endAll(because: .recordedOtherwise, at: now) { try $0.all(of: subject) }
        // Those of the older dialect have no sign-in.
        _ = try repositories.devices.removeAll(of: subject)
        _ = try repositories.enrollmentTickets.removeAll(of: subject)
        try repositories.personCodes.removeAll(of: subject)
        try repositories.actionLinks.removeUnused(of: subject)
    }

    /// Signs a person out of all browsers, screens and apps, withdraws their approvals that were not redeemed yet, and
    /// ends that screens remember them. The devices that answer for them stay, and what they allowed apps.
    ///
    /// - Parameters:
    ///   - subject: The person.
    ///   - actor: The party that the audit names.
    ///   - now: The current time.
    package func signOutEverywhere(of subject: Subject, as actor: AuditActor, at now: Date) throws {
        let devices = Set(try repositories.devices.all(of: subject).compactMap(\.signIn))
        try Approvals(repositories).cancelAll(of: subject, as: actor, at: now)
        try Sessions(repositories).endAll(of: subject, as: actor, at: now)
        try RememberedScreens(repositories).endAll(of: subject, as: actor, at: now)
        var page = try repositories.signIns.all(of: subject)
        while let last = page.last?.grant.id {
            for record in page where !devices.contains(record.grant.id) {
                try SignIns(repositories).end(record, because: .asked(by: actor), at: now)
            }
            page = try repositories.signIns.all(of: subject, after: last)
        }
    }
}

extension Store {
    /// Ends everything that a client holds, in batches, so that other changes do not wait long.
    ///
    /// Without the client none of it is valid; this is for the case that another client gets the same identifier.
    package func endAll(of client: ClientID, at now: Date) async throws {
        try await inBatches { try Self.end(try $0.signIns.all(of: client, limit: $1), at: now, in: $0) }
        try await inBatches { try $0.accessTokens.removeAll(of: client, limit: $1) }
    }

    /// Ends every sign-in for a domain, in batches.
    ///
    /// Tokens without a person are left to expire: without the domain they are invalid, and a later domain of the same
    /// name is younger than they are.
    package func endAll(of domain: Domain, at now: Date) async throws {
        try await inBatches { try Self.end(try $0.signIns.all(of: domain, limit: $1), at: now, in: $0) }
    }

    /// Ends as many in each change as its limit allows, until fewer are left. `end` returns their number.
    private func inBatches(_ end: @escaping @Sendable (any Repositories, _ limit: Int) throws -> Int) async throws {
        let some = 200
        while try await change({ try end($0, some) }) >= some {}
    }

    private static func end(_ records: [SignInRecord], at now: Date, in repositories: any Repositories) throws -> Int {
        for record in records { try SignIns(repositories).end(record, because: .recordedOtherwise, at: now) }
        return records.count
    }
}
