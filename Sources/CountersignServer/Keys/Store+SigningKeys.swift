package import FoundationEssentialsCompat

extension Store {
    /// Adds a signing key of each algorithm. They are published at once and sign after ``KeyRotation/lead``.
    ///
    /// - Parameters:
    ///   - mint: The source of the identifiers.
    ///   - now: The instant of the change.
    /// - Returns: The new keys.
    /// - Throws: Errors of the store.
    package func addSigningKeys(by mint: CodeMint, at now: Date) async throws -> [ServerKey] {
        let fresh = try ServerKey.Purpose.signing.map { purpose in
            try ServerKey.generate(purpose, by: mint, created: now, activates: now.addingTimeInterval(KeyRotation.lead))
        }
        try await change { repositories in
            try add(fresh, at: now, in: repositories)
        }
        return fresh
    }

    /// Replaces all signing keys (past, present and future) and the key of form tokens, after a compromise.
    ///
    /// It is one change, so old and new keys are never published together. Access tokens of old keys are refused from
    /// then on (``AccessTokens/find(_:trusting:)``). The key of user codes remains, since a code is valid for minutes,
    /// and that of second factors, since people's factors depend on it.
    ///
    /// - Parameters:
    ///   - mint: The source of the identifiers, and of the bytes of keys that do not sign.
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
