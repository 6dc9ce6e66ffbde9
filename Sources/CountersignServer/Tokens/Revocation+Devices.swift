internal import Countersign
internal import Foundation

extension Repositories {
    /// Signs a screen out as its person asks: of a device, all for which they signed it in.
    ///
    /// A device that is then signed in for nobody is forgotten, because that is how its app learns of it: it is told
    /// that its identity is unknown, and begins anew.
    func signOut(_ record: SignInRecord, at now: Date) throws {
        var records = [record]
        if record.request.domain != nil {
            let device = record.grant.client
            records = try signIns.all(of: device, limit: 1000).filter { $0.grant.subject == record.grant.subject }
        }
        for record in records {
            try end(record, at: now)
            try self.record(.end(of: record, by: .person, at: now))
        }
        try forgetUnlessSignedIn(record, at: now)
    }

    /// Ends what came of an approval that its person takes back, and nothing else of theirs.
    func undo(_ record: SignInRecord, at now: Date) throws {
        try end(record, at: now)
        try self.record(.end(of: record, by: .person, at: now, detail: "undone"))
        try forgetUnlessSignedIn(record, at: now)
    }

    private func forgetUnlessSignedIn(_ ended: SignInRecord, at now: Date) throws {
        let id = ended.grant.client
        guard case .device = try clients.find(id)?.registration, try signIns.all(of: id, limit: 1).isEmpty else {
            return
        }
        _ = try clients.remove(id)
        // What it held without a person. It has one for each domain at most.
        _ = try accessTokens.removeAll(of: id, limit: 1000)
        try record(
            AuditEntry.Facts(
                at: now,
                .clientRemoved,
                by: .person,
                subject: ended.grant.subject,
                client: id,
                detail: "a device that is signed in for nobody"
            )
        )
    }
}
