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
    /// - Throws: ``StoreError/alreadyExists`` when the subject or the user name is taken; ``AddressTakenError``.
    package func add(
        _ person: Person, as actor: AuditActor, from address: String? = nil, because detail: String? = nil
    ) throws {
        try requireFreeAddress(of: person)
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

    /// Another person has an e-mail address; the description is for operators, in English.
    package struct AddressTakenError: Error, Sendable, Equatable, CustomStringConvertible {
        package let address: EmailAddress
        package let holder: Username
        package var description: String { "\(holder) has the e-mail address \(address)." }

        package init(address: EmailAddress, holder: Username) {
            self.address = address
            self.holder = holder
        }
    }

    /// The person who has an e-mail address, verified; `nil` for none.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - subject: A person who does not count; `nil`, the default, for none.
    package func holder(of address: EmailAddress, besides subject: Subject? = nil) throws -> Person? {
        try repositories.people.all(at: address).first { $0.subject != subject }
    }

    /// Refuses an e-mail address of a person that another one has, as it would sign in neither. One that they had before
    /// is not refused, in whichever case of its letters.
    ///
    /// - Parameters:
    ///   - person: The person, as they will be stored.
    ///   - earlier: The person before the change; `nil`, the default, for a new one.
    /// - Throws: ``AddressTakenError``.
    package func requireFreeAddress(of person: Person, after earlier: Person? = nil) throws {
        guard let address = person.newEmail(since: earlier),
            let holder = try holder(of: address, besides: person.subject)
        else { return }
        throw AddressTakenError(address: address, holder: holder.username)
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
