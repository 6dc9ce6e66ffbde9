package import Countersign
internal import CountersignWire
internal import Crypto
package import Foundation
internal import NIOConcurrencyHelpers

/// The server's own keys, cached from the store.
///
/// The store tells when a key came or went, here or elsewhere. While it cannot tell, it is asked twice a second, so that
/// a rotation by another process is seen within a second all the same.
final class KeyRing: Sendable {
    private struct Seen {
        var keys: Keys
        var read: Date
    }

    private struct State {
        var seen: Seen?
        /// How often the cache was invalidated: what was read before the last time is not kept.
        var forgotten = 0
        var isTold = true
        /// Keys that are being made: all callers wait for the same task.
        var making: [[ServerKey.Purpose]: Task<[ServerKey], any Error>] = [:]
    }

    private let store: any Store
    private let mint: CodeMint
    private let clock: TimeSource
    private let state: NIOLockedValueBox<State>

    /// How old a look at the store may be, in seconds, while the store does not tell what changes.
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
                if let last { state.isTold = last == .anything }
            }
        }
    }

    /// The keys, if they are known and nothing can have changed them.
    var known: Keys? { state.withLockedValue { $0.isTold ? $0.seen?.keys : nil } }

    /// The keys, with those that every start needs created if they are missing.
    func current() async throws -> Keys {
        let now = clock.now()
        let (seen, isTold, forgotten) = state.withLockedValue { ($0.seen, $0.isTold, $0.forgotten) }
        if let seen, isTold || abs(now.timeIntervalSince(seen.read)) < Self.freshness { return seen.keys }
        var stored = try await store.read { try $0.serverKeys.all() }
        let missing = [ServerKey.Purpose.signES256, .userCodes, .forms].filter { purpose in
            !stored.contains { $0.purpose == purpose }
        }
        if !missing.isEmpty { stored = try await create(missing, at: now) }
        return try remember(stored, at: now, unlessForgottenSince: forgotten)
    }

    /// The keys, with one that signs by `algorithm` among them: a first RS256 key is made only when it is wanted,
    /// because making it is slow.
    func current(signing algorithm: SigningKey.Algorithm) async throws -> Keys {
        let keys = try await current()
        if keys.signer(algorithm, at: clock.now()) != nil { return keys }
        let now = clock.now()
        let forgotten = state.withLockedValue(\.forgotten)
        return try remember(try await create([algorithm.purpose], at: now), at: now, unlessForgottenSince: forgotten)
    }

    /// Looks at the store anew on the next call.
    func forget() {
        state.withLockedValue { state in
            state.seen = nil
            state.forgotten += 1
        }
    }

    private func remember(
        _ stored: [ServerKey],
        at now: Date,
        unlessForgottenSince forgotten: Int
    ) throws -> Keys {
        let before = state.withLockedValue { $0.seen?.keys }
        let keys = try Keys(stored, knowing: before)
        state.withLockedValue { state in
            if state.forgotten == forgotten { state.seen = Seen(keys: keys, read: now) }
        }
        return keys
    }

    /// The stored keys, after those that are missing were made: once, however many ask for them at the same time.
    ///
    /// They are made away from the caller's thread, which may be that of a thousand connections.
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
        // Another caller may have made them since this one looked.
        let stored = try await store.read { try $0.serverKeys.all() }
        let fresh = try purposes.filter { purpose in !stored.contains { $0.purpose == purpose } }
            .map { try ServerKey.generate($0, by: mint, created: now, activates: now) }
        guard !fresh.isEmpty else { return stored }
        return try await store.change { repositories in
            let stored = try repositories.serverKeys.all()
            for key in fresh where !stored.contains(where: { $0.purpose == key.purpose }) {
                try repositories.serverKeys.insert(key)
                try repositories.record(AuditEntry.Facts(at: now, .keyAdded, by: .server, detail: key.id.rawValue))
            }
            return try repositories.serverKeys.all()
        }
    }
}

extension ServerKey {
    /// A new key for `purpose`.
    package static func generate(
        _ purpose: Purpose,
        by mint: CodeMint,
        created: Date,
        activates: Date
    ) throws -> ServerKey {
        let bytes: [UInt8] =
            switch purpose {
            case .signES256: try SigningKey.generate(.es256).secretBytes
            case .signRS256: try SigningKey.generate(.rs256).secretBytes
            case .userCodes, .forms: mint.keyBytes(32)
            }
        return ServerKey(
            id: mint.identifier(),
            purpose: purpose,
            secretBytes: bytes,
            created: created,
            activates: activates
        )
    }
}
