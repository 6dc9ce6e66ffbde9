internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The screens that are signed in: ends them, and lets their clients know.
struct SignIns {
    private let repositories: any Repositories

    init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// Signs one screen out: revokes all its tokens, removes the device that answers requests by it, lets its client
    /// know if that wants to be told, and writes all that into the audit.
    ///
    /// - Parameters:
    ///   - record: The sign-in that ends.
    ///   - cause: The reason why it ends.
    ///   - address: The network address of the party that asked for it; `nil`, the default, when there is none to note.
    ///   - now: The current time.
    func end(_ record: SignInRecord, because cause: SignInEnd, from address: String? = nil, at now: Date) throws {
        if record.revoked == nil, cause != .revokedByClient { try announceEnd(of: record, at: now) }
        var record = record
        record.revoked = record.revoked ?? now
        try repositories.signIns.update(record)
        try repositories.accessTokens.removeAll(of: record.grant.id)
        try repositories.refreshTokens.removeAll(of: record.grant.id)
        try repositories.repeatableAnswers.remove(record.grant.id)
        let facts = AuditEntry.Facts.end(of: record, because: cause, from: address, at: now)
        if let facts { try Audit(repositories).record(facts) }
        guard let device = try repositories.devices.find(record.grant.id) else { return }
        if let facts {
            try EnrolledDevices(repositories).forget(
                device, by: facts.by, client: record.grant.client, from: address, at: now)
        } else {
            _ = try repositories.devices.remove(device.id)
        }
    }

    /// Stores that a sign-in has ended, if its client wants to be told.
    ///
    /// It is part of the change that ends the sign-in, so that the notice is as durable; ``NoticeDelivery`` calls the
    /// client later.
    func announceEnd(of record: SignInRecord, at now: Date) throws {
        let grant = record.grant
        guard let client = try repositories.clients.find(grant.client), client.redirects.backChannelLogout != nil else {
            return
        }
        let session = SessionID(of: record.session?.id, or: grant.id, at: client.id)
        try repositories.clientNotices.keep(
            ClientNotice(.sessionEnded(session), client: client.id, subject: grant.subject, occurred: now, due: now)
        )
    }
}
