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
        try repeatableAnswers.remove(record.grant.id)
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
}

extension Store {
    /// Ends everything that a client holds, some at a time, so that other changes do not wait long.
    ///
    /// Once the client is gone nothing of that is worth anything; this is for the day on which another one gets its
    /// name.
    package func endAll(of client: ClientID, at now: Date) async throws {
        let some = 200
        var ended = some
        while ended >= some {
            ended = try await change { repositories in
                let records = try repositories.signIns.all(of: client, limit: some)
                for record in records { try repositories.end(record, at: now) }
                return records.count
            }
        }
        ended = some
        while ended >= some {
            ended = try await change { try $0.accessTokens.removeAll(of: client, limit: some) }
        }
    }

    /// Ends every sign-in for a domain, some at a time.
    ///
    /// Tokens without a person are left to expire: once the domain is gone they are worth nothing, and one that gets
    /// its name later is younger than they are.
    package func endAll(of domain: Domain, at now: Date) async throws {
        let some = 200
        var ended = some
        while ended >= some {
            ended = try await change { repositories in
                let records = try repositories.signIns.all(of: domain, limit: some)
                for record in records { try repositories.end(record, at: now) }
                return records.count
            }
        }
    }
}
