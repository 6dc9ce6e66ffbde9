package import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension Store {
    /// Adds a signing key of each algorithm. They are published at once and sign after ``KeyRotation/lead``.
    ///
    /// - Parameters:
    ///   - mint: Makes the identifiers of the keys.
    ///   - now: The instant of the change.
    /// - Returns: The new keys.
    /// - Throws: Errors of the store.
    package func addSigningKeys(by mint: CodeMint, at now: Date) async throws -> [ServerKey] {
        let fresh = try ServerKey.Purpose.signing.map { purpose in
            try ServerKey.generate(
                purpose,
                by: mint,
                created: now,
                activates: now.addingTimeInterval(KeyRotation.lead)
            )
        }
        try await change { repositories in
            try add(fresh, at: now, in: repositories)
        }
        return fresh
    }

    /// Replaces all signing keys (past, present and future) and the key of form tokens. For keys that may be
    /// compromised.
    ///
    /// It is one change, so an old key and a new one are never published together. Access tokens that an old key signed
    /// are refused from then on, see ``AccessTokens/find(_:trusting:)``. The key of user codes stays: it only
    /// hides codes in the database, and a code is valid for minutes. So does the key of second factors: what people
    /// chose for years depends on it.
    ///
    /// - Parameters:
    ///   - mint: Makes the identifiers of the keys and the bytes of those that do not sign.
    ///   - now: The instant of the change.
    /// - Returns: The new signing keys.
    /// - Throws: Errors of the store.
    package func replaceKeys(by mint: CodeMint, at now: Date) async throws -> [ServerKey] {
        let purposes = ServerKey.Purpose.signing + [.forms]
        let fresh = try purposes.map { try ServerKey.generate($0, by: mint, created: now, activates: now) }
        try await change { repositories in
            let gone = purposes + [.verifyHints]
            for key in try repositories.serverKeys.all() where gone.contains(key.purpose) {
                try repositories.serverKeys.remove(key.id)
                // A key that remained only for hints was audited as removed before.
                guard purposes.contains(key.purpose) else { continue }
                try Audit(repositories).record(
                    AuditEntry.Facts(at: now, .keyRemoved, by: .operator, detail: key.id.rawValue))
            }
            try add(fresh, at: now, in: repositories)
        }
        return fresh.filter { ServerKey.Purpose.signing.contains($0.purpose) }
    }

    private func add(_ keys: [ServerKey], at now: Date, in repositories: any Repositories) throws {
        for key in keys {
            try repositories.serverKeys.insert(key)
            try Audit(repositories).record(
                AuditEntry.Facts(at: now, .keyAdded, by: .operator, detail: key.id.rawValue))
        }
    }
}
