public import FoundationEssentialsCompat

/// Remembers which requests were received, so that none is accepted twice.
///
/// ``OAuth1NonceMemory`` remembers them in one process. Several processes that answer for one server need a store that
/// they share, such as a table of their database:
///
/// ```swift
/// struct NonceTable: OAuth1NonceStore {
///     let database: any NonceDatabase
///
///     func use(_ nonce: OAuth1NonceUse, at now: Date) async throws -> OAuth1NonceAnswer {
///         // INSERT … ON CONFLICT DO NOTHING; rows with expires < now are deleted from time to time.
///         let isNew = try await database.insertIfAbsent(nonce.digest.bytes, until: nonce.expires)
///         return isNew ? .new : .used
///     }
/// }
/// ```
///
/// Only requests with a verified signature are stored, so a stranger cannot fill it.
///
/// Standard: RFC 5849 §3.3, §4.11.
public protocol OAuth1NonceStore: Sendable {
    /// Stores a request, atomically with the check whether it was stored before: of two calls at once, wherever they
    /// are made, one gets the answer `new`.
    ///
    /// - Parameters:
    ///   - nonce: The record that identifies the request.
    ///   - now: The current time.
    /// - Returns: Whether the request is new.
    /// - Throws: Any `Error` of the store when it is unavailable; then the request is not accepted.
    func use(_ nonce: OAuth1NonceUse, at now: Date) async throws -> OAuth1NonceAnswer
}

/// The record that identifies a verified request, and its expiry.
///
/// Standard: RFC 5849 §3.3.
public struct OAuth1NonceUse: Sendable, Equatable {
    /// The digest of client, token, timestamp and nonce.
    public let digest: SecretDigest
    /// The earliest time when the request can have been received.
    public let earliest: Date
    /// The expiry of the record: later the request is refused for its time. Stores of several processes whose clocks
    /// differ keep it longer by that difference.
    public let expires: Date

    /// Only ``VerifiedOAuth1Request`` makes one.
    init(digest: SecretDigest, earliest: Date, expires: Date) {
        self.digest = digest
        self.earliest = earliest
        self.expires = expires
    }
}

/// The answer of a store about a request.
public enum OAuth1NonceAnswer: Sendable, Equatable {
    /// It was not used before, and is remembered from now on.
    case new
    /// It was used before.
    case used
    /// It is so old that it may have been used and forgotten.
    case tooOld

    /// Accepts a request that is new.
    ///
    /// - Throws: ``OAuth1Error`` `usedNonce` or `staleTimestamp`.
    func requireNew() throws(OAuth1Error) {
        switch self {
        case .new: return
        case .used: throw OAuth1Error(.usedNonce, because: "the nonce was used before")
        case .tooOld: throw OAuth1Error(.staleTimestamp, because: "older requests are not remembered any more")
        }
    }
}

/// The store of a single process: an ``OAuth1NonceMemory``.
actor OAuth1ProcessNonceStore: OAuth1NonceStore {
    private var memory: OAuth1NonceMemory

    init(capacity: Int) { memory = OAuth1NonceMemory(capacity: capacity) }

    func use(_ nonce: OAuth1NonceUse, at now: Date) -> OAuth1NonceAnswer { memory.answer(to: nonce, at: now) }
}
