package import Countersign
package import FoundationEssentialsCompat

/// The people of this server: finds them, and does to their accounts what administrators may.
///
/// An administrator at a browser does not act on their own account here, and without the right to change people not on
/// that of anybody with a role: nobody gains rights by it.
package struct PersonRegistry: Registry {
    let administration: Administration

    package init(_ administration: Administration) {
        self.administration = administration
    }

    /// An act that is refused.
    package enum ActError: Error, Sendable, Equatable {
        /// It is the administrator's own account.
        case ownAccount
        /// The person is locked.
        case locked(Username)
        /// The person asked for the removal of the account, which is not over.
        case leaving(Username)
        /// The person has no verified e-mail address to send the link to.
        case noVerifiedAddress(Username)
        /// The person has no such device.
        case noDevice
    }

    /// A link that was made, whose secret is not stored.
    package struct NewLink: Sendable {
        /// The secret of the link.
        package let secret: ActionLinkSecret
        /// The expiry of the link.
        package let expires: Date
        /// The person: the owner of the password, or the one who will be created.
        package let subject: Subject
    }

    // MARK: Finding

    /// A person by the name that they sign in by; `nil` for none.
    package func find(_ name: PersonName) async throws -> Person? {
        try await administration.store.read { try name.find(in: $0) }
    }

    /// A person; `nil` for none.
    package func find(_ subject: Subject) async throws -> Person? {
        try await administration.store.read { try $0.people.find(subject) }
    }

    // MARK: Standing and rights

    /// Locks a person: nothing of theirs works until they are unlocked.
    ///
    /// - Returns: The person after the act; `nil` when there is none. So do all acts.
    /// - Throws: ``ActError``; ``Administrator/NotAdministratorError``; errors of the store. So do all acts.
    package func lock(_ subject: Subject) async throws -> Person? {
        try await change(subject, by: .lockPeople, auditing: .personLocked) { [actor] person, repositories, now in
            person.standing = .locked
            try repositories.people.update(person)
            try Approvals(repositories).cancelAll(of: subject, as: actor, at: now)
            try Sessions(repositories).endAll(of: subject, as: actor, at: now)
            try RememberedScreens(repositories).endAll(of: subject, as: actor, at: now)
            return true
        }
    }

    /// Unlocks a person. The screens, apps and devices that they had before the lock end, unless they are to stay:
    /// the reason for the lock may have signed one in.
    package func unlock(_ subject: Subject, keepingDevices keepsDevices: Bool) async throws -> Person? {
        try await change(subject, by: .lockPeople, auditing: .personUnlocked) { [actor] person, repositories, now in
            guard !person.isActive else { return false }
            if !keepsDevices { try Revocation(repositories).endAll(of: subject, as: actor, at: now) }
            person.standing = .active
            try repositories.people.update(person)
            return true
        }
    }

    /// Gives a person another role. Links that were made before they had one end: a helpdesk may have made them.
    ///
    /// - Parameters:
    ///   - role: The role.
    ///   - subject: The person.
    ///   - check: Refuses another role by what it throws; nothing by default.
    package func assign(
        _ role: PersonRole, to subject: Subject, checking check: @escaping @Sendable (Person) throws -> Void = { _ in }
    ) async throws -> Person? {
        let act: AuditAct = role == .user ? .personUnmadeAdministrator : .personMadeAdministrator
        let detail = role == .user ? nil : role.rawValue
        return try await change(subject, by: .change(.people), auditing: act, detail) { person, repositories, _ in
            guard person.role != role else { return false }
            try check(person)
            if person.role == .user { try repositories.actionLinks.removeUnused(of: subject) }
            person.role = role
            try repositories.people.update(person)
            return true
        }
    }

    /// Changes what apps learn of a person.
    ///
    /// - Parameters:
    ///   - subject: The person.
    ///   - notices: Notifies the person of another e-mail address.
    ///   - edit: Changes the person; may run more than once. What it throws is thrown.
    /// - Throws: ``People/AddressTakenError``.
    package func change(
        _ subject: Subject, telling notices: AccountNotices, by edit: @escaping @Sendable (inout Person) throws -> Void
    ) async throws -> Person? {
        try await change(subject, by: .change(.people), auditing: .personChanged) { person, repositories, now in
            let earlier = person
            try edit(&person)
            guard person != earlier else { return false }
            try People(repositories).requireFreeAddress(of: person, after: earlier)
            person.profile.updated = now
            try notices.tellOfAddress(of: person, after: earlier, at: now, in: repositories)
            try People(repositories).update(person, from: earlier)
            return true
        }
    }

    /// Removes a person with all that is theirs, and signs them out everywhere. The audit keeps its entries.
    ///
    /// - Returns: The person before the removal; `nil` when there was none.
    package func remove(_ subject: Subject) async throws -> Person? {
        try await change(subject, by: .change(.people), auditing: .personRemoved) { [actor] _, repositories, now in
            try AccountRemoval(repositories).remove(subject, as: actor, at: now)
            return true
        }
    }

    // MARK: Signing out

    /// Signs a person out of all browsers, screens and apps; the devices that answer for them stay.
    package func signOutEverywhere(_ subject: Subject) async throws -> Person? {
        try await change(subject, by: .signPeopleOut, auditing: .personSignedOut) { [actor] _, repositories, now in
            try Revocation(repositories).signOutEverywhere(of: subject, as: actor, at: now)
            return true
        }
    }

    /// Signs one browser of a person out; one that is signed out already stays so.
    package func end(_ session: ApproverID, of subject: Subject) async throws -> Person? {
        try await act(on: subject, by: .change(.sessions)) { [administration, actor] person, repositories, now in
            if let live = try Sessions(repositories).find(session, of: subject, at: now) {
                let detail = administration.administrator.noting("one browser")
                try Sessions(repositories).end(live, as: actor, because: detail, at: now)
            }
            return person
        }
    }

    /// Revokes a device of a person: it answers nothing any more, and its app is signed out.
    package func revoke(_ device: DeviceRegistration.ID, of subject: Subject) async throws -> Person? {
        try await act(on: subject, by: .change(.people)) { [administration] person, repositories, now in
            guard let device = try repositories.devices.find(device), device.subject == subject else {
                throw ActError.noDevice
            }
            try Revocation(repositories).revoke(
                device, as: administration.administrator, by: administration.mint, at: now)
            return person
        }
    }

    /// Lets a client that a person muted or reported ask them again; one that is not muted stays as it is.
    func liftMute(of client: ClientID, by subject: Subject) async throws -> Person? {
        try await act(on: subject, by: .change(.people)) { [administration, actor] person, repositories, now in
            let note = administration.administrator.noting(nil)
            _ = try Mutes(repositories).lift(of: client, by: subject, as: actor, noting: note, at: now)
            return person
        }
    }

    /// Removes the passkeys, one-time passwords and recovery codes of a person, and signs their browsers out.
    ///
    /// - Parameters:
    ///   - subject: The person.
    ///   - notices: Notifies the person.
    package func removeFactors(of subject: Subject, telling notices: AccountNotices) async throws -> Person? {
        try await change(
            subject, by: .change(.people), auditing: .personFactorsRemoved
        ) { [actor] _, repositories, now in
            _ = try People(repositories).removeFactors(of: subject)
            try notices.tell(.factorsRemoved, to: subject, at: now, in: repositories)
            try Sessions(repositories).endAll(of: subject, as: actor, at: now)
            return true
        }
    }

    // MARK: Links

    /// Makes a link with which a person sets a new password.
    ///
    /// - Parameters:
    ///   - subject: The person.
    ///   - span: The lifetime of the link, in seconds.
    ///   - mail: Sends the link to the verified address of the person; `nil` for a link that is handed over.
    /// - Returns: The link; `nil` when there is no such person.
    package func makeResetLink(
        for subject: Subject, lasting span: TimeInterval, mailedBy mail: ActionLinkMail?
    ) async throws -> NewLink? {
        let made = newLink(for: subject, lasting: span)
        return try await act(on: subject, by: .resetPasswords) { [self] person, repositories, now in
            guard person.standing != .leaving else { throw ActError.leaving(person.username) }
            guard person.isActive else { throw ActError.locked(person.username) }
            let link = ActionLink(
                digest: made.secret.digest, to: .passwordReset, for: subject, created: now, expires: made.expires)
            try ActionLinks(repositories).add(link, by: actor, noting: administration.administrator.noting(nil))
            if let mail {
                guard let address = person.verifiedEmail else { throw ActError.noVerifiedAddress(person.username) }
                try mail.send(link, made.secret, to: address, of: person, by: repositories)
            }
            return made
        }
    }

    /// Makes a link with which somebody creates their account.
    ///
    /// - Parameters:
    ///   - address: The e-mail address of the account, which is known to be theirs; `nil` for none.
    ///   - span: The lifetime of the link, in seconds.
    ///   - mail: Sends the link to the address; `nil` for a link that is handed over.
    /// - Throws: ``People/AddressTakenError``.
    package func invite(
        _ address: EmailAddress?, lasting span: TimeInterval, mailedBy mail: ActionLinkMail?
    ) async throws -> NewLink {
        let made = newLink(for: administration.mint.identifier(), lasting: span)
        let now = administration.clock.now()
        return try await administration.change(.change(.people), at: now) { [actor, administration] repositories in
            if let address, let holder = try People(repositories).holder(of: address) {
                throw People.AddressTakenError(address: address, holder: holder.username)
            }
            let link = ActionLink(
                digest: made.secret.digest, to: .invitation(address), for: made.subject, created: now,
                expires: made.expires)
            try ActionLinks(repositories).add(link, by: actor, noting: administration.administrator.noting(nil))
            if let mail, let address { try mail.send(link, made.secret, to: address, by: repositories) }
            return made
        }
    }

    private func newLink(for subject: Subject, lasting span: TimeInterval) -> NewLink {
        NewLink(secret: administration.mint.secret(), expires: administration.clock.now() + span, subject: subject)
    }

    // MARK: Parts

    private var actor: AuditActor { administration.administrator.actor }

    /// Does an act on one person that is audited as one entry; returns the person after it.
    ///
    /// - Parameter body: Changes the person, and returns whether there was anything to do.
    private func change(
        _ subject: Subject, by right: AdminAct, auditing act: AuditAct, _ detail: String? = nil,
        _ body: @escaping @Sendable (inout Person, any Repositories, Date) throws -> Bool
    ) async throws -> Person? {
        try await self.act(on: subject, by: right) { [administration] person, repositories, now in
            var person = person
            guard try body(&person, repositories, now) else { return person }
            try Audit(repositories).record(
                administration.administrator.facts(act, on: subject, at: now, detail: detail))
            return person
        }
    }

    /// Does an act on one person that the administrator has the right to; `nil` when there is none.
    private func act<Value: Sendable>(
        on subject: Subject, by right: AdminAct,
        _ body: @escaping @Sendable (Person, any Repositories, Date) throws -> Value
    ) async throws -> Value? {
        let now = administration.clock.now()
        return try await administration.change(right, at: now) { [administration] repositories in
            guard let person = try repositories.people.find(subject) else { return nil }
            let administrator = administration.administrator
            guard administrator.subject != subject else { throw ActError.ownAccount }
            if person.role != .user {
                try administrator.authorize(.change(.people), in: repositories, at: now)
            }
            return try body(person, repositories, now)
        }
    }
}
