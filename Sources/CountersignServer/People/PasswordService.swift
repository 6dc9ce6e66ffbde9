internal import FoundationEssentialsCompat

/// The change of a person's own password, in a browser: of one who is signed in, or who proves otherwise who they are.
struct PasswordService: Sendable {
    let core: ServerCore

    /// The sign-ins of the person that end with their old password; that of their own browser goes on.
    enum Ending: String, Sendable, CaseIterable {
        case browsers
        /// Browsers, screens and apps, also those that approve.
        case all
        case none
    }

    /// Stores the new password, ends the chosen sign-ins, and notifies the person's devices.
    ///
    /// The browser gets another cookie, so that a copy of the earlier one is worth nothing.
    ///
    /// - Parameters:
    ///   - password: The hash of the new password.
    ///   - visitor: The person, whose earlier password is that of this look-up.
    ///   - others: The sign-ins that end.
    ///   - address: The network address of the browser.
    /// - Returns: The new cookie of the browser.
    /// - Throws: ``PersonChangedError`` when the password changed since the look-up; ``LimitedBrowserError``;
    ///   ``SessionEndedError``; ``StoreUnavailableError``.
    func change(
        to password: PasswordHash, of visitor: SignedInVisitor, ending others: Ending, from address: String?
    ) async throws -> BrowserCookie {
        let now = core.clock.now()
        let cookie: BrowserCookie = core.mint.secret()
        let (session, subject) = (visitor.session, visitor.person.subject)
        let notices = core.notices
        try await core.store.changeWays(of: visitor, at: now) { repositories in
            guard var person = try repositories.people.find(subject), person.password == visitor.person.password else {
                throw PersonChangedError()
            }
            person.changePassword(to: password, at: now)
            try repositories.people.update(person)
            try repositories.actionLinks.removeUnused(of: subject)
            try notices.tell(.passwordChanged, to: subject, at: now, in: repositories)
            try Audit(repositories).record(
                AuditEntry.Facts(
                    at: now, .passwordChanged, by: .person, subject: subject, address: address,
                    detail: others.audited))
            try Sessions(repositories).renew(session, as: cookie.digest)
            if others != .none { try Sessions(repositories).endOthers(than: session, because: Self.reason, at: now) }
            if others == .all { try endApps(of: subject, from: address, at: now, in: repositories) }
        }
        return cookie
    }

    /// Sets the password of a person who is not signed in, ends their browser sessions, links and unredeemed approvals,
    /// and notifies them. It signs nobody in, so a second factor is still asked for.
    ///
    /// - Parameters:
    ///   - password: The hash of the new password.
    ///   - address: The network address of the browser.
    ///   - detail: The proof, for the audit.
    ///   - proof: Runs first in the same change: uses up the proof, and returns the person.
    /// - Throws: What `proof` throws; ``PersonChangedError`` for a person who is locked or absent;
    ///   ``StoreUnavailableError``.
    func reset(
        to password: PasswordHash,
        from address: String?,
        noting detail: String,
        by proof: @escaping @Sendable (any Repositories, Date) throws -> Subject
    ) async throws {
        let now = core.clock.now()
        let notices = core.notices
        try await core.store.change { repositories in
            let subject = try proof(repositories, now)
            guard var person = try repositories.people.find(subject), person.isActive else {
                throw PersonChangedError()
            }
            person.changePassword(to: password, at: now)
            try repositories.people.update(person)
            try Approvals(repositories).cancelAll(of: subject, as: .person, at: now)
            try Sessions(repositories).endAll(of: subject, as: .person, at: now)
            try notices.tell(.passwordChanged, to: subject, at: now, in: repositories)
            try Audit(repositories).record(
                AuditEntry.Facts(
                    at: now, .passwordChanged, by: .person, subject: subject, address: address, detail: detail))
        }
    }

    private static let reason = "the password was changed"

    /// Ends the sign-ins of all screens and apps, and withdraws the approvals that were not redeemed.
    private func endApps(
        of subject: Subject, from address: String?, at now: Date, in repositories: any Repositories
    ) throws {
        try Approvals(repositories).cancel(by: subject, at: now) { _ in true }
        let cause = SignInEnd.asked(by: .person, detail: Self.reason)
        try SignIns(repositories).endAll(because: cause, from: address, at: now) { try $0.all(of: subject) }
        // Those of the older dialect have no sign-in.
        for device in try repositories.devices.all(of: subject) {
            try EnrolledDevices(repositories).forget(device, by: .person, client: nil, from: address, at: now)
        }
        _ = try repositories.enrollmentTickets.removeAll(of: subject)
        try repositories.personCodes.removeAll(of: subject)
    }
}

extension PasswordService.Ending {
    /// The ended sign-ins, for the audit.
    fileprivate var audited: String {
        switch self {
        case .browsers: "signed out of other browsers"
        case .all: "signed out of other browsers, screens and apps"
        case .none: "stays signed in elsewhere"
        }
    }
}
