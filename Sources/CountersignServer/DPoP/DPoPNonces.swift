internal import Countersign
internal import CountersignWire
internal import Crypto
internal import Foundation

/// Makes the nonces of the server, and knows them again without storing them: each is a time with a code under a key
/// that all nodes share.
///
/// Standard: RFC 9449 §8.
struct DPoPNonces: Sendable {
    /// How long a nonce is valid, in seconds.
    static let lifetime: TimeInterval = 300
    /// By how much the clocks of two nodes may differ, in seconds.
    static let leeway: TimeInterval = 30
    private static let codeLength = 16

    private let key: SymmetricKey

    /// Derives the key of nonces from another key of the server.
    init(derivedFrom key: SymmetricKey) {
        self.key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key,
            info: Array("countersign dpop nonce".utf8),
            outputByteCount: 32
        )
    }

    /// A nonce for the next proof of any client.
    func nonce(at now: Date) -> DPoPNonce {
        let milliseconds = Int64((now.timeIntervalSince1970 * 1000).rounded(.down))
        let time = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: milliseconds >> $0) }
        return DPoPNonce(URLSafeText.encode(time + code(of: time)))
    }

    /// When this server gave out a nonce; `nil` for one that is too old, or that no node gave out.
    func made(_ nonce: DPoPNonce, at now: Date) -> Date? {
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
