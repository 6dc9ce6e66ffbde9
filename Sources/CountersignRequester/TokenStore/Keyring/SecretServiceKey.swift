#if SecretService && os(Linux)
internal import CLibSecret
internal import Countersign
internal import DesktopBus
internal import FoundationEssentialsCompat
internal import NIOConcurrencyHelpers

/// Stores the key of a token store in the desktop's keyring, which the person's login unlocks.
///
/// Copies of the disk and its backups then do not contain the key. Other programs of the same person can still ask the
/// keyring for it.
/// Standard: Secret Service API of freedesktop.org, by libsecret.
public final class SecretServiceKey: SealingKeyStore {
    /// The absolute path of the store, which names the key in the keyring.
    private let store: String
    private let locks: CrossProcessLocks
    /// The cached key of the keyring, which is queried once.
    private let found = NIOLockedValueBox<SealingKey?>(nil)

    /// Creates the place of the key for one store.
    ///
    /// - Parameter path: The directory of the store; relative and absolute spellings of it mean the same.
    public init(of path: String) {
        // However the path is written, it is the same store.
        let whole = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
        store = "/" + whole.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
        locks = CrossProcessLocks(in: PrivateDirectory(path: path), clock: .system)
    }

    /// Reads the key from the keyring, once.
    ///
    /// - Throws: ``TokenStoreError`` `keyringUnavailable`, also when the person does not unlock it, or `keyUnfit`.
    public func find() async throws(TokenStoreError) -> SealingKey? {
        if let key = found.withLockedValue(\.self) { return key }
        let store = store
        let text = try await BlockingCall.run { () throws(TokenStoreError) -> String? in
            var error: UnsafeMutablePointer<GError>?
            let secret = countersign_secret_find(store, &error)
            try Self.report(error)
            guard let secret else { return nil }
            defer { secret_password_free(secret) }
            return String(cString: secret)
        }
        guard let text else { return nil }
        guard let key = URLSafeText.decode(text).flatMap(SealingKey.init(revealing:)) else {
            throw TokenStoreError(.keyUnfit, because: "what the keyring has for \(store) is no key")
        }
        found.withLockedValue { $0 = key }
        return key
    }

    /// Stores the key in the keyring, one process at a time, because the keyring itself would let the last one win.
    ///
    /// - Throws: ``TokenStoreError`` `keyringUnavailable`, `keyUnfit` or `busy`.
    public func keep(_ key: SealingKey) async throws(TokenStoreError) -> SealingKey {
        do {
            return try await locks.holding("~keyring.lock", timeout: .seconds(120)) {
                if let first = try await find() { return first }
                try await write(key)
                // The new key counts only if the keyring has it now.
                guard let kept = try await find(), kept == key else {
                    throw TokenStoreError(.keyringUnavailable, because: "the keyring did not keep the key")
                }
                return kept
            }
        } catch let error as TokenStoreError {
            throw error
        } catch {
            throw TokenStoreError(.keyringUnavailable, because: String(describing: error))
        }
    }

    /// Writes the key to the keyring.
    private func write(_ key: SealingKey) async throws(TokenStoreError) {
        let store = store
        try await BlockingCall.run { () throws(TokenStoreError) in
            var error: UnsafeMutablePointer<GError>?
            let label = "Countersign: key of the tokens in \(store)"
            let isKept = countersign_secret_keep(store, label, URLSafeText.encode(key.revealed), &error)
            try Self.report(error)
            guard isKept != 0 else {
                throw TokenStoreError(.keyringUnavailable, because: "the keyring did not keep the key")
            }
        }
    }

    /// Throws the keyring's error, if there is one.
    private static func report(_ error: UnsafeMutablePointer<GError>?) throws(TokenStoreError) {
        guard let error else { return }
        defer { g_error_free(error) }
        throw TokenStoreError(.keyringUnavailable, because: String(cString: error.pointee.message))
    }
}
#endif
