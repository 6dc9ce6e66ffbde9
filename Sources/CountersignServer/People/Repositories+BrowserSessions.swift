package import Countersign
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension Repositories {
    /// Ends a browser session: lets each client know that was signed in by it, and withdraws the codes that clients
    /// have not redeemed yet, and the tickets that have signed in no device yet.
    func end(_ session: BrowserSession, at now: Date) throws {
        try browserSessions.remove(session.cookie)
        try enrollmentTickets.removeUnused(of: session.subject, madeIn: session.id)
        try cancelApprovals(by: session.subject, at: now) { $0.method.binding?.session?.id == session.id }
        try forEachSignIn(of: session.id) { try endWithSession($0, by: .person, at: now) }
    }

    /// Signs a person out of all browsers, as an operator asks, and notifies the clients that they are signed in at.
    /// The tickets end that they were given there: each would sign in a device.
    package func endBrowserSessions(of subject: Subject, at now: Date) throws {
        try browserSessions.removeAll(of: subject)
        _ = try enrollmentTickets.removeAll(of: subject)
        var page = try signIns.all(of: subject)
        while let last = page.last?.grant.id {
            for record in page { try endWithSession(record, by: .operator, at: now) }
            page = try signIns.all(of: subject, after: last)
        }
    }

    /// Lets the client of a sign-in know that its session has ended. A client that is told so loses its tokens, unless
    /// the person allowed it to stay signed in without the browser.
    ///
    /// Standard: OpenID Connect Back-Channel Logout 1.0 §2.7 for `offline_access`.
    private func endWithSession(_ record: SignInRecord, by actor: AuditActor, at now: Date) throws {
        let isTold = try clients.find(record.grant.client)?.redirects.backChannelLogout != nil
        guard isTold, record.session != nil, !record.grant.scope.contains(.offlineAccess) else {
            return try announceEnd(of: record, at: now)
        }
        try end(record, because: .asked(by: actor, detail: "with its browser session"), at: now)
    }

    /// Keeps the sign-ins of a browser session for as long as the session, which was continued.
    func prolong(_ session: ApproverID, until expires: Date) throws {
        try forEachSignIn(of: session) { record in
            guard record.ends < expires,
                try clients.find(record.grant.client)?.redirects.backChannelLogout != nil
            else { return }
            var record = record
            record.ends = expires
            try signIns.update(record)
        }
    }

    /// Calls `body` with each sign-in of a browser session that is not revoked, however many there are; `body` may
    /// revoke it.
    private func forEachSignIn(of session: ApproverID, _ body: (SignInRecord) throws -> Void) throws {
        var page = try signIns.all(of: session)
        while let last = page.last?.grant.id {
            for record in page { try body(record) }
            page = try signIns.all(of: session, after: last)
        }
    }
}
