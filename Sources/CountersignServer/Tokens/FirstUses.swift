internal import Countersign
internal import FoundationEssentialsCompat
internal import NIOConcurrencyHelpers

/// Stops repeating the answer to a code once its access token is used, which shows that the client has the answer.
///
/// It sees the uses that reach this server: introspection, `/userinfo`, `/cpa/authorized`, and the endpoints for
/// approver apps. A JWT that a resource server verifies by itself is not seen. For each sign-in the store is asked once
/// per node, and only while a code could still be repeated.
final class FirstUses: Sendable {
    /// The most sign-ins that are remembered.
    static let capacity = 100_000
    /// The longest life of a code, and with it of a repeatable answer to one, in seconds.
    private static let longest: TimeInterval = 3600

    private struct State {
        var noted = SecondChanceCache<Grant.ID, Void>(capacity: FirstUses.capacity)
        /// The sign-ins whose tokens were used and whose answers are not removed yet.
        var pending: Set<Grant.ID> = []
    }

    private let store: any Store
    private let clock: TimeSource
    private let state = NIOLockedValueBox(State())

    init(store: any Store, clock: TimeSource) {
        self.store = store
        self.clock = clock
    }

    /// Notes the use of a token; ``settle()`` stores it.
    func note(_ token: AccessTokenRecord) {
        guard let grant = token.grant, clock.now() < token.issued + Self.longest else { return }
        state.withLockedValue { state in
            if state.noted.use(grant) == nil { state.pending.insert(grant) }
        }
    }

    /// Whether the store knows of a use of this token, or need not know.
    func isNoted(_ token: AccessTokenRecord) -> Bool {
        guard let grant = token.grant, clock.now() < token.issued + Self.longest else { return true }
        return state.withLockedValue { $0.noted.use(grant) != nil }
    }

    /// Removes the answers to codes whose tokens were noted as used.
    ///
    /// - Throws: ``StoreUnavailableError``.
    func settle() async throws {
        let pending = state.withLockedValue { $0.pending }
        guard !pending.isEmpty else { return }
        let found = try await store.read { repositories in
            try pending.filter { try repositories.repeatableAnswers.find($0)?.isOfCode == true }
        }
        if !found.isEmpty {
            try await store.change { repositories in
                // A refresh may have replaced it in the meantime.
                for grant in found where try repositories.repeatableAnswers.find(grant)?.isOfCode == true {
                    try repositories.repeatableAnswers.remove(grant)
                }
            }
        }
        state.withLockedValue { state in
            for grant in pending {
                state.pending.remove(grant)
                if state.noted.use(grant) == nil { state.noted.put((), for: grant) }
            }
        }
    }
}

extension RepeatableAnswer {
    fileprivate var isOfCode: Bool {
        if case .code = kind { true } else { false }
    }
}
