package import Countersign
internal import CountersignWire
package import Foundation

extension Repositories {
    /// Stores that a sign-in has ended, if its client wants to be told.
    ///
    /// It is part of the change that ends the sign-in, so that the notice is as durable; ``LogoutDelivery`` calls the
    /// client later.
    func announceEnd(of record: SignInRecord, at now: Date) throws {
        let grant = record.grant
        guard let client = try clients.find(grant.client), client.redirects.backChannelLogout != nil else { return }
        let session = SessionID(of: record.session?.id, or: grant.id, at: client.id)
        try logoutNotices.keep(
            LogoutNotice(session: session, client: client.id, subject: grant.subject, ended: now, due: now)
        )
    }

    /// Stores that a browser session has ended, for each client that was signed in by it.
    func announceEnd(of session: BrowserSession, at now: Date) throws {
        for record in try signIns.all(of: session.id) { try announceEnd(of: record, at: now) }
    }

    /// Signs a person out of all browsers, and lets every client know at which they are signed in.
    package func endBrowserSessions(of subject: Subject, at now: Date) throws {
        try browserSessions.removeAll(of: subject)
        for record in try signIns.all(of: subject) { try announceEnd(of: record, at: now) }
    }
}

extension SessionID {
    /// The session of a person at a client: that of the browser by which they signed in, or else the sign-in itself.
    ///
    /// Each client knows a browser's session by another name, from which the session cannot be told.
    init(of session: ApproverID?, or grant: Grant.ID, at client: ClientID) {
        let name = session.map { "browser \($0)" } ?? "grant \(grant)"
        self.init(rawValue: URLSafeText.encode(SecretDigest(of: "sid \(name) \(client)").bytes.prefix(16)))
    }
}
