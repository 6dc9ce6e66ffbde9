internal import Atomics
internal import Countersign
internal import NIOConcurrencyHelpers

/// A store whose look-ups are answered from memory where they can be.
///
/// Most requests ask for the same few rows: a client, a person, a token that is in use, a request that waits. A look-up
/// first runs on what is remembered, without leaving its thread; when it needs more than that, it runs again on the
/// store, and what it finds there is remembered. The store tells what changes, and then that is forgotten before whoever
/// changed it here is answered: nobody who was told that a token is revoked meets this server still taking it. Other
/// processes hear a moment later. Changes always work on the store itself.
final class RememberingStore: Store {
    private let base: any Store
    private let memory: NIOLockedValueBox<RowMemory>
    private let trouble = ManagedAtomic(false)

    /// Whether the store could not make the last change that was asked for.
    var isInTrouble: Bool { trouble.load(ordering: .relaxed) }

    init(_ base: any Store, sizes: RowMemory.Sizes = .init()) {
        self.base = base
        let memory = NIOLockedValueBox(RowMemory(sizes))
        self.memory = memory
        base.follow { news in memory.withLockedValue { $0.hear(news) } }
    }

    /// How many rows are remembered.
    var count: Int { memory.withLockedValue { $0.count } }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let (moment, isTold) = memory.withLockedValue { ($0.moment, $0.isTold) }
        guard isTold else { return try await base.read(body) }
        if let outcome = recall(body, asOf: moment) { return try outcome.get() }
        let (value, rows) = try await base.read { repositories in
            let found = RowNotes()
            return (try body(RecordingRepositories(base: repositories, found: found)), found.rows)
        }
        remember(rows, asOf: moment)
        return value
    }

    /// What `body` makes of what is remembered, at once; `nil` when that is not enough.
    ///
    /// - Throws: what `body` throws.
    func recalled<Value>(_ body: (any Repositories) throws -> Value) throws -> Value? {
        let (moment, isTold) = memory.withLockedValue { ($0.moment, $0.isTold) }
        guard isTold else { return nil }
        return try recall(body, asOf: moment)?.get()
    }

    /// What `body` makes of what is remembered; `nil` when that is not enough, or changed while it ran.
    private func recall<Value>(
        _ body: (any Repositories) throws -> Value,
        asOf moment: RowMemory.Moment
    ) -> Result<Value, any Error>? {
        let recall = Recall(from: memory)
        let outcome = Result { try body(RememberedRepositories(recall: recall)) }
        // Whatever came out of a look-up that missed something means nothing.
        guard !recall.missed, memory.withLockedValue({ $0.moment }) == moment else { return nil }
        return outcome
    }

    func change<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        let moment = memory.withLockedValue { $0.moment }
        do {
            let (value, rows) = try await base.change { repositories in
                let added = RowNotes()
                return (try body(RecordingRepositories(base: repositories, added: added)), added.rows)
            }
            if isInTrouble { trouble.store(false, ordering: .relaxed) }
            remember(rows, asOf: moment)
            return value
        } catch let error as StoreUnavailable {
            trouble.store(true, ordering: .relaxed)
            throw error
        }
    }

    func follow(_ hear: @escaping @Sendable ([StoreNews]) -> Void) {
        base.follow(hear)
    }

    private func remember(_ rows: [RowMemory.Row], asOf moment: RowMemory.Moment) {
        guard !rows.isEmpty else { return }
        memory.withLockedValue { memory in
            for row in rows { memory.remember(row, asOf: moment) }
        }
    }
}
