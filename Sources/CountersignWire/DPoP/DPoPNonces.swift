package import Crypto
public import FoundationEssentialsCompat

/// Makes the nonces of a server, and knows them again without storing them: each is a time with a code under a key that
/// all processes of the server share.
///
/// ```swift
/// let nonces = DPoPNonces(drawingFrom: .system)
/// ```
///
/// Standard: RFC 9449 §8, §9.
public struct DPoPNonces: Sendable {
    /// The lifetime of a nonce, in seconds.
    package static let lifetime: TimeInterval = 300
    /// The greatest difference between the clocks of two processes that is tolerated, in seconds.
    package static let leeway: TimeInterval = 30
    /// The fewest bytes of a shared secret.
    private static let shortestSecret = 16
    private static let codeLength = 16

    private let key: SymmetricKey

    /// Nonces of one process: others do not know them, nor does this one after it was started again.
    ///
    /// - Parameter random: The source of the key.
    public init(drawingFrom random: RandomSource) { self.init(derivedFrom: SymmetricKey(data: random.bytes(32))) }

    /// Nonces of several processes that share a secret.
    ///
    /// - Parameter secret: At least 16 unguessable bytes, the same in each process; `nil` is returned for fewer.
    public init?(sharing secret: some Collection<UInt8>) {
        guard secret.count >= Self.shortestSecret else { return nil }
        self.init(derivedFrom: SymmetricKey(data: Array(secret)))
    }

    /// Derives the key of nonces from another key.
    package init(derivedFrom key: SymmetricKey) {
        self.key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, info: Array("countersign dpop nonce".utf8), outputByteCount: 32)
    }

    /// A nonce for the next proof of any client.
    ///
    /// - Parameter now: The current time.
    public func nonce(at now: Date) -> DPoPNonce {
        let milliseconds = Int64((now.timeIntervalSince1970 * 1000).rounded(.down))
        let time = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: milliseconds >> $0) }
        return DPoPNonce(URLSafeText.encode(time + code(of: time)))
    }

    /// Returns the time when this server gave out a nonce; `nil` for one that is too old, or that no process gave out.
    package func made(_ nonce: DPoPNonce, at now: Date) -> Date? {
        guard let bytes = URLSafeText.decode(nonce.rawValue), bytes.count == 8 + Self.codeLength else { return nil }
        let time = Array(bytes.prefix(8))
        guard zip(code(of: time), bytes.dropFirst(8)).reduce(0, { $0 | ($1.0 ^ $1.1) }) == 0 else { return nil }
        let milliseconds = time.reduce(Int64(0)) { $0 << 8 | Int64($1) }
        let made = Date(timeIntervalSince1970: TimeInterval(milliseconds) / 1000)
        let age = now.timeIntervalSince(made)
        return age >= -Self.leeway && age <= Self.lifetime ? made : nil
    }

    private func code(of time: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: time, using: key).prefix(Self.codeLength))
    }
}
