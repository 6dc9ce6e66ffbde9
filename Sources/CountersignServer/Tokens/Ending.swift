package import Countersign
package import Foundation

extension Repositories {
    /// Signs one screen out: none of its tokens is good after this change.
    package func end(_ record: SignInRecord, at now: Date) throws {
        var record = record
        record.revoked = record.revoked ?? now
        try signIns.update(record)
        try accessTokens.removeAll(of: record.grant.id)
        try refreshTokens.removeAll(of: record.grant.id)
    }

    /// Signs a person out everywhere, in browsers too.
    package func endAll(of subject: Subject, at now: Date) throws {
        try browserSessions.removeAll(of: subject)
        var records = try signIns.all(of: subject)
        while !records.isEmpty {
            for record in records { try end(record, at: now) }
            records = try signIns.all(of: subject)
        }
    }

    /// Ends everything that a client holds.
    package func endAll(of client: ClientID, at now: Date) throws {
        var records = try signIns.all(of: client, limit: 1_000)
        while !records.isEmpty {
            for record in records { try end(record, at: now) }
            records = try signIns.all(of: client, limit: 1_000)
        }
        try accessTokens.removeAll(of: client)
    }
}
