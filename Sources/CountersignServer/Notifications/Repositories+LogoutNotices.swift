internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Repositories {
    /// Stores that a sign-in has ended, if its client wants to be told.
    ///
    /// It is part of the change that ends the sign-in, so that the notice is as durable; ``NoticeDelivery`` calls the
    /// client later.
    func announceEnd(of record: SignInRecord, at now: Date) throws {
        let grant = record.grant
        guard let client = try clients.find(grant.client), client.redirects.backChannelLogout != nil else { return }
        let session = SessionID(of: record.session?.id, or: grant.id, at: client.id)
        try clientNotices.keep(
            ClientNotice(.sessionEnded(session), client: client.id, subject: grant.subject, occurred: now, due: now)
        )
    }
}

extension SessionID {
    /// The session of a person at a client: that of the browser that they signed in with, or else the sign-in itself.
    ///
    /// Each client knows a browser's session by another name, which does not reveal the session.
    init(of session: ApproverID?, or grant: Grant.ID, at client: ClientID) {
        let name = session.map { "browser \($0)" } ?? "grant \(grant)"
        self.init(rawValue: URLSafeText.encode(SecretDigest(of: "sid \(name) \(client)").bytes.prefix(16)))
    }
}
