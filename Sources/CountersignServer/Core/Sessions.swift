package import FoundationEssentialsCompat

/// A live browser session, and its person; made by ``Sessions`` alone.
struct LiveSession: Sendable {
    let session: BrowserSession
    let person: Person

    fileprivate init(_ session: BrowserSession, _ person: Person) {
        self.session = session
        self.person = person
    }
}

/// The browser session has ended.
struct SessionEndedError: Error {
    /// The standing of the person, if it ended the session; `nil` after a sign-out or the expiry.
    let person: Policy.Standing?
}

/// The browser sessions of people: finds, extends and ends them.
package struct Sessions {
    private let repositories: any Repositories

    package init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// The live session of a cookie: stored, not expired, with an active account.
    ///
    /// Every look-up and change for a person at a browser uses this function.
    /// - Throws: ``SessionEndedError``.
    func live(_ cookie: SecretDigest, at now: Date) throws -> LiveSession {
        let found = try unexpired(cookie, at: now)
        guard found.person.isActive else { throw SessionEndedError(person: found.person.standing) }
        return found
    }

    /// The session of a person who is leaving, in which they may keep their account.
    ///
    /// - Throws: ``SessionEndedError``.
    func leaving(_ cookie: SecretDigest, at now: Date) throws -> LiveSession {
        let found = try unexpired(cookie, at: now)
        guard found.person.standing == .leaving else { throw SessionEndedError(person: found.person.standing) }
        return found
    }

    private func unexpired(_ cookie: SecretDigest, at now: Date) throws -> LiveSession {
        guard let session = try repositories.browserSessions.find(cookie), now < session.expires else {
            throw SessionEndedError(person: nil)
        }
        guard let person = try repositories.people.find(session.subject) else {
            throw SessionEndedError(person: .absent)
        }
        return LiveSession(session, person)
    }

    /// The same for a session from an earlier look-up.
    ///
    /// - Throws: ``SessionEndedError``.
    @discardableResult
    func live(_ session: BrowserSession, at now: Date) throws -> LiveSession {
        let live = try live(session.cookie, at: now)
        guard live.session.subject == session.subject else { throw SessionEndedError(person: nil) }
        return live
    }

    /// Ends a browser session, with an audit entry: notifies its clients, and withdraws its unredeemed codes, unused
    /// tickets, and the code of its person for a screen. With one that ends by itself, all ends that was approved in it.
    ///
    /// - Parameters:
    ///   - session: The session, which ends now.
    ///   - actor: The party that the audit names; the person by default.
    ///   - reason: The detail of the audit entry; `nil`, the default, for a sign-out in the browser itself.
    ///   - address: The network address of that party; `nil`, the default, when it is not noted.
    ///   - now: The current time.
    func end(
        _ session: BrowserSession, as actor: AuditActor = .person, because reason: String? = nil,
        from address: String? = nil, at now: Date
    ) throws {
        try repositories.browserSessions.remove(session.cookie)
        _ = try repositories.browserPushes.remove(session.id)
        try repositories.enrollmentTickets.removeUnused(of: session.subject, madeIn: session.id)
        try repositories.personCodes.remove(shownBy: session.approver)
        try Approvals(repositories).cancel(by: session.subject, as: actor, at: now) {
            $0.method.binding?.session?.id == session.id
        }
        if session.limit != nil { try Approvals(repositories).end(with: session.approver, as: actor, at: now) }
        try forEachSignIn(of: session.id) { try endWithSession($0, by: actor, at: now) }
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: now, .loggedOut, by: actor, subject: session.subject, request: session.opening?.request,
                address: address, detail: reason))
    }

    /// The live session that an approval opened; `nil` for none.
    func opened(by grant: Grant.ID, of subject: Subject, at now: Date) throws -> BrowserSession? {
        try repositories.browserSessions.opened(for: subject).first { session in
            session.opening?.grant.id == grant && now < session.expires
        }
    }

    /// The live session of a person with an identifier; `nil` for none.
    func find(_ id: ApproverID, of subject: Subject, at now: Date) throws -> BrowserSession? {
        try repositories.browserSessions.all(of: subject).first { $0.id == id && now < $0.expires }
    }

    /// A page of the live sessions, the one that ends last first.
    ///
    /// - Parameters:
    ///   - subject: The person; `nil` for all people.
    ///   - last: The position of the last session of the page before, which may have ended; `nil` for the first page.
    ///   - limit: The maximum number.
    ///   - now: The current time.
    func page(
        of subject: Subject?, after last: BrowserSession.Position?, limit: Int, at now: Date
    ) throws -> [BrowserSession] {
        guard let subject else { return try repositories.browserSessions.live(at: now, after: last, limit: limit) }
        let following = try repositories.browserSessions.all(of: subject).filter { session in
            now < session.expires && last.map { $0.isListed(before: session.position) } != false
        }
        return Array(following.sorted { $0.position.isListed(before: $1.position) }.prefix(limit))
    }

    /// Ends the other browser sessions of a person, with audit entries.
    ///
    /// - Parameters:
    ///   - session: The session that goes on.
    ///   - reason: The detail of the audit entries.
    ///   - now: The current time.
    func endOthers(than session: BrowserSession, because reason: String, at now: Date) throws {
        while true {
            let others = try repositories.browserSessions.all(of: session.subject).filter { $0.id != session.id }
            if others.isEmpty { return }
            for other in others { try end(other, because: reason, at: now) }
        }
    }

    /// Gives a browser session another cookie.
    func renew(_ session: BrowserSession, as cookie: SecretDigest) throws {
        try repositories.browserSessions.remove(session.cookie)
        try repositories.browserSessions.insert(
            BrowserSession(
                cookie: cookie, id: session.id, subject: session.subject, authenticated: session.authenticated,
                expires: session.expires, by: session.authentication, opening: session.opening,
                at: session.browser, lastUsed: session.lastUsed)
        )
    }

    /// Ends all browser sessions, tickets and unused links of a person, and notifies the clients.
    ///
    /// - Parameters:
    ///   - subject: The person.
    ///   - actor: The party that the audit names; an operator by default.
    ///   - now: The current time.
    package func endAll(of subject: Subject, as actor: AuditActor = .operator, at now: Date) throws {
        for session in try repositories.browserSessions.opened(for: subject) where session.limit != nil {
            try Approvals(repositories).end(with: session.approver, as: actor, at: now)
        }
        try repositories.browserSessions.removeAll(of: subject)
        try repositories.browserPushes.removeAll(of: subject)
        _ = try repositories.enrollmentTickets.removeAll(of: subject)
        try repositories.personCodes.removeAll(of: subject)
        try repositories.actionLinks.removeUnused(of: subject)
        var page = try repositories.signIns.all(of: subject)
        while let last = page.last?.grant.id {
            for record in page { try endWithSession(record, by: actor, at: now) }
            page = try repositories.signIns.all(of: subject, after: last)
        }
    }

    /// Extends the sign-ins of a browser session with the session, and its registration for push messages.
    func prolong(_ session: ApproverID, until expires: Date) throws {
        try BrowserPushes(repositories).prolong(session, until: expires)
        try forEachSignIn(of: session) { record in
            guard record.ends < expires,
                try repositories.clients.find(record.grant.client)?.redirects.backChannelLogout != nil
            else { return }
            var record = record
            record.ends = min(expires, record.grant.ends ?? expires)
            try repositories.signIns.update(record)
        }
    }

    /// Notifies the client of a sign-in of the end of its session. A client with notices also loses its tokens, unless
    /// it has `offline_access`.
    ///
    /// Standard: OpenID Connect Back-Channel Logout 1.0 §2.7 for `offline_access`.
    private func endWithSession(_ record: SignInRecord, by actor: AuditActor, at now: Date) throws {
        let isTold = try repositories.clients.find(record.grant.client)?.redirects.backChannelLogout != nil
        guard record.session != nil, isTold, !record.grant.scope.contains(.offlineAccess) else {
            return try SignIns(repositories).announceEnd(of: record, at: now)
        }
        try SignIns(repositories).end(record, because: .asked(by: actor, detail: "with its browser session"), at: now)
    }

    /// Calls `body` with each unrevoked sign-in of a browser session, which `body` may revoke.
    private func forEachSignIn(of session: ApproverID, _ body: (SignInRecord) throws -> Void) throws {
        var page = try repositories.signIns.all(of: session)
        while let last = page.last?.grant.id {
            for record in page { try body(record) }
            page = try repositories.signIns.all(of: session, after: last)
        }
    }
}
