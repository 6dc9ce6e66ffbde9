internal import Crypto
internal import NIOConcurrencyHelpers
package import FoundationEssentialsCompat

/// The server's own keys, cached from the store.
///
/// The store announces changes of keys, also those of other processes. While it cannot, the keys are read twice a
/// second, so that a rotation by another process takes effect within a second.
final class KeyRing: Sendable {
    private struct Snapshot {
        var keys: Keys
        var read: Date
    }

    private struct State {
        var seen: Snapshot?
        /// The number of invalidations; keys from before the last one are not cached.
        var forgotten = 0
        var isObserving = true
        /// The tasks that generate keys; all callers wait for the same task.
        var making: [[ServerKey.Purpose]: Task<[ServerKey], any Error>] = [:]
    }

    private let store: any Store
    private let mint: CodeMint
    private let clock: TimeSource
    private let state: NIOLockedValueBox<State>

    /// The maximum age of cached keys while the store does not announce changes, in seconds.
    private static let freshness: TimeInterval = 0.5

    init(store: any Store, mint: CodeMint, clock: TimeSource) {
        self.store = store
        self.mint = mint
        self.clock = clock
        let state = NIOLockedValueBox(State())
        self.state = state
        store.observe { changes in
            guard changes.contains(where: { [.serverKeys, .anything, .notificationsLost].contains($0) })
            else { return }
            state.withLockedValue { state in
                state.seen = nil
                state.forgotten += 1
                let last = changes.last { $0 == .anything || $0 == .notificationsLost }
                if let last { state.isObserving = last == .anything }
            }
        }
    }

    /// The keys, if they are cached and current.
    var known: Keys? { state.withLockedValue { $0.isObserving ? $0.seen?.keys : nil } }

    /// The keys; missing required keys are created.
    func current() async throws -> Keys {
        let now = clock.now()
        let (seen, isObserving, forgotten) = state.withLockedValue { ($0.seen, $0.isObserving, $0.forgotten) }
        if let seen, isObserving || abs(now.timeIntervalSince(seen.read)) < Self.freshness { return seen.keys }
        var stored = try await store.read { try $0.serverKeys.all() }
        let missing = [ServerKey.Purpose.signES256, .userCodes, .forms, .secondFactors].filter { purpose in
            !stored.contains { $0.purpose == purpose }
        }
        if !missing.isEmpty { stored = try await create(missing, at: now) }
        return try remember(stored, at: now, unlessForgottenSince: forgotten)
    }

    /// The keys, including one that signs with `algorithm`. The first RS256 key is generated on demand, because that is
    /// slow.
    func current(signing algorithm: SigningKey.Algorithm) async throws -> Keys {
        let keys = try await current()
        if keys.signer(algorithm, at: clock.now()) != nil { return keys }
        let now = clock.now()
        let forgotten = state.withLockedValue(\.forgotten)
        return try remember(try await create([algorithm.purpose], at: now), at: now, unlessForgottenSince: forgotten)
    }

    /// Drops the cached keys, so that the next call reads the store.
    func forget() {
        state.withLockedValue { state in
            state.seen = nil
            state.forgotten += 1
        }
    }

    private func remember(_ stored: [ServerKey], at now: Date, unlessForgottenSince forgotten: Int) throws -> Keys {
        let before = state.withLockedValue { $0.seen?.keys }
        let keys = try Keys(stored, knowing: before)
        state.withLockedValue { state in
            if state.forgotten == forgotten { state.seen = Snapshot(keys: keys, read: now) }
        }
        return keys
    }

    /// Generates the missing keys, once for all concurrent callers, and returns the stored ones.
    ///
    /// Another thread generates them, since that of the caller may serve a thousand connections.
    private func create(_ purposes: [ServerKey.Purpose], at now: Date) async throws -> [ServerKey] {
        let making = state.withLockedValue { state in
            if let making = state.making[purposes] { return making }
            let making = Task.detached { [self] in
                defer { self.state.withLockedValue { $0.making[purposes] = nil } }
                return try await make(purposes, at: now)
            }
            state.making[purposes] = making
            return making
        }
        return try await making.value
    }

    private func make(_ purposes: [ServerKey.Purpose], at now: Date) async throws -> [ServerKey] {
        // Another process may have created them since the last read.
        let stored = try await store.read { try $0.serverKeys.all() }
        let fresh = try purposes.filter { purpose in !stored.contains { $0.purpose == purpose } }
            .map { try ServerKey.generate($0, by: mint, created: now, activates: now) }
        guard !fresh.isEmpty else { return stored }
        return try await store.change { repositories in
            let stored = try repositories.serverKeys.all()
            for key in fresh where !stored.contains(where: { $0.purpose == key.purpose }) {
                try repositories.serverKeys.insert(key)
                try Audit(repositories).record(
                    AuditEntry.Facts(at: now, .keyAdded, by: .server, detail: key.id.rawValue))
            }
            return try repositories.serverKeys.all()
        }
    }
}

extension ServerKey {
    /// A new key for `purpose`.
    ///
    /// - Throws: ``Keys/UnusableKeyError`` for ``Purpose/verifyHints``, because such keys are derived from removed
    ///   signing keys.
    package static func generate(
        _ purpose: Purpose, by mint: CodeMint, created: Date, activates: Date
    ) throws -> ServerKey {
        let bytes: [UInt8] =
            switch purpose {
            case .signES256: try SigningKey.generate(.es256).secretBytes
            case .signRS256: try SigningKey.generate(.rs256).secretBytes
            case .userCodes, .forms, .secondFactors: mint.keyBytes(32)
            case .verifyHints: throw Keys.UnusableKeyError(purpose: purpose)
            }
        return ServerKey(
            id: mint.identifier(), purpose: purpose, secretBytes: bytes, created: created, activates: activates)
    }
}
