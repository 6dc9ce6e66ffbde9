package import Countersign
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A browser session that holds right now, and its person; made by ``Sessions/live(_:at:)`` alone.
struct LiveSession: Sendable {
    let session: BrowserSession
    let person: Person

    fileprivate init(_ session: BrowserSession, _ person: Person) {
        self.session = session
        self.person = person
    }
}

/// The browser session of a person does not hold, or no longer.
struct SessionEndedError: Error {
    /// The standing of the person, where the session does not hold because of that; `nil` where the person signed out,
    /// or the session expired.
    let person: Policy.Standing?
}

/// The browser sessions of people: finds those that hold, continues and ends them.
package struct Sessions {
    private let repositories: any Repositories

    package init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// The session of a cookie: it is stored, it has not expired, and the account of its person is active.
    ///
    /// Every look-up and every change for a person at a browser asks this function.
    /// - Throws: ``SessionEndedError``.
    func live(_ cookie: SecretDigest, at now: Date) throws -> LiveSession {
        guard let session = try repositories.browserSessions.find(cookie), now < session.expires else {
            throw SessionEndedError(person: nil)
        }
        guard let person = try repositories.people.find(session.subject) else {
            throw SessionEndedError(person: .absent)
        }
        guard person.isActive else { throw SessionEndedError(person: person.standing) }
        return LiveSession(session, person)
    }

    /// The same for a session that was looked up before: in the change that its person asked for, it still holds.
    ///
    /// - Throws: ``SessionEndedError``.
    @discardableResult
    func live(_ session: BrowserSession, at now: Date) throws -> LiveSession {
        let live = try live(session.cookie, at: now)
        guard live.session.subject == session.subject else { throw SessionEndedError(person: nil) }
        return live
    }

    /// Ends a browser session: lets each client know that was signed in by it, and withdraws the codes that clients
    /// have not redeemed yet, and the tickets that have signed in no device yet.
    func end(_ session: BrowserSession, at now: Date) throws {
        try repositories.browserSessions.remove(session.cookie)
        try repositories.enrollmentTickets.removeUnused(of: session.subject, madeIn: session.id)
        try Approvals(repositories).cancel(by: session.subject, at: now) {
            $0.method.binding?.session?.id == session.id
        }
        try forEachSignIn(of: session.id) { try endWithSession($0, by: .person, at: now) }
    }

    /// Signs a person out of all browsers, as an operator asks, and notifies the clients that they are signed in at.
    /// The tickets end that they were given there: each would sign in a device.
    package func endAll(of subject: Subject, at now: Date) throws {
        try repositories.browserSessions.removeAll(of: subject)
        _ = try repositories.enrollmentTickets.removeAll(of: subject)
        var page = try repositories.signIns.all(of: subject)
        while let last = page.last?.grant.id {
            for record in page { try endWithSession(record, by: .operator, at: now) }
            page = try repositories.signIns.all(of: subject, after: last)
        }
    }

    /// Keeps the sign-ins of a browser session for as long as the session, which was continued.
    func prolong(_ session: ApproverID, until expires: Date) throws {
        try forEachSignIn(of: session) { record in
            guard record.ends < expires,
                try repositories.clients.find(record.grant.client)?.redirects.backChannelLogout != nil
            else { return }
            var record = record
            record.ends = expires
            try repositories.signIns.update(record)
        }
    }

    /// Lets the client of a sign-in know that its session has ended. A client that is told so loses its tokens, unless
    /// the person allowed it to stay signed in without the browser.
    ///
    /// Standard: OpenID Connect Back-Channel Logout 1.0 §2.7 for `offline_access`.
    private func endWithSession(_ record: SignInRecord, by actor: AuditActor, at now: Date) throws {
        let isTold = try repositories.clients.find(record.grant.client)?.redirects.backChannelLogout != nil
        guard isTold, record.session != nil, !record.grant.scope.contains(.offlineAccess) else {
            return try SignIns(repositories).announceEnd(of: record, at: now)
        }
        try SignIns(repositories).end(record, because: .asked(by: actor, detail: "with its browser session"), at: now)
    }

    /// Calls `body` with each sign-in of a browser session that is not revoked, however many there are; `body` may
    /// revoke it.
    private func forEachSignIn(of session: ApproverID, _ body: (SignInRecord) throws -> Void) throws {
        var page = try repositories.signIns.all(of: session)
        while let last = page.last?.grant.id {
            for record in page { try body(record) }
            page = try repositories.signIns.all(of: session, after: last)
        }
    }
}
