package import Countersign
package import FoundationEssentialsCompat

/// The removal of accounts: at once by an operator, or some days after their person asked for it, who may keep it until
/// then.
package struct AccountRemoval {
    private let repositories: any Repositories

    package init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// Whether a person is the only operator who can sign in, so that nobody is left to manage the server at `/admin`.
    package func isLastOperator(_ subject: Subject) throws -> Bool {
        guard let person = try repositories.people.find(subject), person.isAdministrator else { return false }
        return try !repositories.people.all().contains {
            $0.subject != subject && $0.isAdministrator && $0.isActive
        }
    }

    /// Removes a person with all that is theirs, and signs them out everywhere. The audit keeps its entries.
    ///
    /// - Parameters:
    ///   - subject: The person.
    ///   - actor: The party that the audit names; an operator by default.
    ///   - now: The current time.
    package func remove(_ subject: Subject, as actor: AuditActor = .operator, at now: Date) throws {
        try Revocation(repositories).endAll(of: subject, as: actor, at: now)
        try repositories.identities.removeAll(of: subject)
        _ = try People(repositories).removeFactors(of: subject)
        try removeMessages(to: subject)
        try repositories.phoneNumbers.removeAll(of: subject)
        try repositories.mutes.removeAll(of: subject)
        try repositories.groups.removeAll(of: subject)
        try repositories.actionLinks.remove(of: subject)
        _ = try repositories.people.remove(subject)
    }

    /// Removes the text messages and mails to a person, which would stay for some days after they were sent. A number is
    /// one person's; an address may be that of several people.
    private func removeMessages(to subject: Subject) throws {
        let numbers = try repositories.phoneNumbers.all(of: subject).map { Delivery.Addressee.number($0.number) }
        try repositories.deliveries.removeAll(to: numbers + [.person(subject)])
    }

    /// Marks an account for removal at the request of its person: notifies them, and ends all sessions, sign-ins and
    /// devices.
    ///
    /// - Parameters:
    ///   - subject: The person.
    ///   - due: The time of the removal.
    ///   - notices: Notifies the person.
    ///   - address: The network address of the browser.
    ///   - now: The current time.
    func request(
        by subject: Subject, due: Date, telling notices: AccountNotices, from address: String?, at now: Date
    ) throws {
        guard var person = try repositories.people.find(subject), person.isActive else { return }
        let day = String(due.formatted(.iso8601).prefix(10))
        try notices.tell(.accountRemoval, to: subject, saying: ["day": day], at: now, in: repositories)
        try Revocation(repositories).endAll(of: subject, as: .person, at: now)
        person.leave(at: due)
        try repositories.people.update(person)
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: now, .removalRequested, by: .person, subject: subject, address: address, detail: "due \(day)"))
    }

    /// Keeps the account of a person who is leaving, and notifies them.
    ///
    /// - Parameters:
    ///   - visitor: The person, at their browser.
    ///   - notices: Notifies the person.
    ///   - address: The network address of the browser.
    ///   - now: The current time.
    /// - Throws: ``SessionEndedError`` when their session has ended, or the account is not marked any more.
    func cancel(
        by visitor: LeavingVisitor, telling notices: AccountNotices, from address: String?, at now: Date
    ) throws {
        var person = try Sessions(repositories).leaving(visitor.session.cookie, at: now).person
        guard person.subject == visitor.person.subject else { throw SessionEndedError(person: nil) }
        person.standing = .active
        try repositories.people.update(person)
        try notices.tell(.accountKept, to: person.subject, at: now, in: repositories)
        try Audit(repositories).record(
            AuditEntry.Facts(at: now, .removalCancelled, by: .person, subject: person.subject, address: address))
    }

    /// Removes an account that is due; returns whether it was there and still due.
    func removeDue(_ subject: Subject, at now: Date) throws -> Bool {
        guard let removal = try repositories.people.find(subject)?.removal, removal <= now else { return false }
        try remove(subject, as: .server, at: now)
        try Audit(repositories).record(
            AuditEntry.Facts(at: now, .personRemoved, by: .server, subject: subject, detail: "as the person asked"))
        return true
    }
}
