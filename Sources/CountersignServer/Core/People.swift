internal import FoundationEssentialsCompat

/// The people with an account: their standing, and their means of authentication.
package struct People {
    private let repositories: any Repositories

    package init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// Adds an account, with its audit entries.
    ///
    /// - Parameters:
    ///   - person: The person.
    ///   - actor: The party that the audit names.
    ///   - address: The network address of that party; `nil`, the default, when it is not noted.
    ///   - detail: The detail of the audit entries; `nil`, the default, for none.
    /// - Throws: ``StoreError/alreadyExists`` when the subject or the user name is taken.
    package func add(
        _ person: Person, as actor: AuditActor, from address: String? = nil, because detail: String? = nil
    ) throws {
        try repositories.people.insert(person)
        for act in [AuditAct.personAdded] + (person.isAdministrator ? [.personMadeAdministrator] : []) {
            try Audit(repositories).record(
                AuditEntry.Facts(
                    at: person.created, act, by: actor, subject: person.subject, address: address, detail: detail))
        }
    }

    /// Stores a changed person. The unused links that were mailed to another address of theirs end.
    ///
    /// - Parameters:
    ///   - person: The person after the change.
    ///   - earlier: The person before it.
    package func update(_ person: Person, from earlier: Person) throws {
        try repositories.people.update(person)
        if person.email != earlier.email { try repositories.actionLinks.removeUnused(of: person.subject) }
    }

    /// The current standing of a person.
    func standing(of subject: Subject) throws -> Policy.Standing {
        try repositories.people.find(subject)?.standing ?? .absent
    }

    /// The person who owns a telephone number; `nil` when the number is not registered, or its owner is locked.
    func owner(of number: PhoneNumber) throws -> Subject? {
        guard let subject = try repositories.phoneNumbers.find(number)?.subject,
            try repositories.people.find(subject)?.isActive == true
        else {
            return nil
        }
        return subject
    }

    /// Whether the account of a person has the means for one of the demanded authentication classes.
    func canReachClass(
        in demands: ScopeDemands, _ subject: Subject, under policy: Policy, at now: Date
    ) throws -> Bool {
        try demands.classes.isEmpty
            || !reachableClasses(of: subject, under: policy, at: now).isDisjoint(with: demands.classes)
    }

    /// Removes the passkeys, one-time passwords and recovery codes of a person; returns the removed ones.
    package func removeFactors(of subject: Subject) throws -> (passkeys: Int, hadOneTimePasswords: Bool) {
        let count = try repositories.passkeys.removeAll(of: subject)
        let hadPasswords = try repositories.oneTimePasswords.remove(subject)
        _ = try repositories.recoveryCodes.remove(subject)
        return (count, hadPasswords)
    }

    /// Replaces the hash of another system, or of a lower cost, after a right password, with an entry in the audit; returns the current
    /// person, who stays unchanged when their password changed since the verification.
    func replaceForeignHash(
        by verification: PasswordVerification, of person: Person, from address: String?, at now: Date
    ) throws -> Person {
        guard case .rightInForeignForm(let replacement) = verification,
            var current = try repositories.people.find(person.subject), current.password == person.password
        else { return person }
        current.password = replacement
        try repositories.people.update(current)
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: now, .passwordRehashed, by: .server, subject: person.subject, address: address,
                detail: person.password?.kind?.name))
        return current
    }

    private func reachableClasses(
        of subject: Subject, under policy: Policy, at now: Date
    ) throws -> Set<AuthenticationClass> {
        var reachable: Set<AuthenticationClass> = []
        let hasPasskey = try !repositories.passkeys.all(of: subject).isEmpty
        let hasCodes = try repositories.oneTimePasswords.find(subject) != nil
        // A device of this kind signs its answers.
        let hasDevice = try repositories.devices.all(of: subject).contains {
            try $0.dialect == .signed && EnrolledDevices(repositories).hasLiveSignIn($0, at: now)
        }
        if try repositories.people.find(subject)?.password != nil { reachable.insert(.password) }
        if hasPasskey { reachable.formUnion([.password, .userVerified, .passkey]) }
        if hasDevice, !policy.userVerifyingApps.isEmpty { reachable.insert(.userVerified) }
        if hasPasskey || hasCodes || hasDevice { reachable.insert(.secondFactor) }
        if hasDevice { reachable.insert(.deviceKey) }
        let providers = try repositories.identityProviders.all().filter(\.isOnLoginPage).map(\.issuer)
        if try repositories.identities.all(of: subject).contains(where: { providers.contains($0.issuer) }) {
            reachable.insert(.federated)
        }
        return reachable
    }
}
