internal import FoundationEssentialsCompat

/// The administration of one kind of record, for the command and the pages.
package protocol Registry: Sendable {
    init(_ administration: Administration)
}

extension Registry {
    /// Makes the registry of a store.
    package init(of store: any Store, for administrator: Administrator = .operator, mint: CodeMint, clock: TimeSource) {
        self.init(Administration(store: store, administrator: administrator, mint: mint, clock: clock))
    }
}

/// The store and the administrator of a registry.
package struct Administration: Sendable {
    let store: any Store
    let administrator: Administrator
    let mint: CodeMint
    let clock: TimeSource

    /// Makes one change at `now` that checks the administrator's right; `body` may run more than once.
    ///
    /// - Parameters:
    ///   - act: The act that the administrator needs the right to.
    ///   - now: The current time.
    ///   - body: Reads and writes.
    /// - Throws: ``Administrator/NotAdministratorError``; what `body` throws; errors of the store.
    func change<Value: Sendable>(
        _ act: AdminAct, at now: Date, _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try await store.change { repositories in
            try administrator.authorize(act, in: repositories, at: now)
            return try body(repositories)
        }
    }
}
