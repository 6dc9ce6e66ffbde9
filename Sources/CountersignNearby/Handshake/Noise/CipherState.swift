internal import Crypto
internal import FoundationEssentialsCompat

/// The encryption of one direction: a key, and how often it was used.
///
/// Standard: The Noise Protocol Framework, revision 34, §5.1 and §12.3 (ChaChaPoly).
package struct CipherState: Sendable {
    /// The number of bytes that sealing adds to a plaintext.
    package static let tagLength = 16

    private let key: SymmetricKey
    /// The number of messages that were sealed or opened; each has its own nonce.
    private var counter: UInt64 = 0

    /// A cipher that has sealed nothing yet.
    package init(key: [UInt8]) { self.key = SymmetricKey(data: key) }

    /// Seals `plaintext`; each call takes the next nonce.
    package mutating func seal(
        _ plaintext: [UInt8],
        authenticating data: [UInt8] = []
    ) throws(HandshakeError) -> [UInt8] {
        let nonce = try nonce()
        guard let box = try? ChaChaPoly.seal(plaintext, using: key, nonce: nonce, authenticating: data) else {
            throw .notAuthentic
        }
        counter += 1
        return Array(box.ciphertext) + Array(box.tag)
    }

    /// Opens the peer's messages in order; a failure does not change the nonce.
    package mutating func open(
        _ sealed: [UInt8],
        authenticating data: [UInt8] = []
    ) throws(HandshakeError) -> [UInt8] {
        guard sealed.count >= Self.tagLength else { throw .malformed }
        let nonce = try nonce()
        guard
            let box = try? ChaChaPoly.SealedBox(
                nonce: nonce, ciphertext: sealed.dropLast(Self.tagLength), tag: sealed.suffix(Self.tagLength)),
            let plaintext = try? ChaChaPoly.open(box, using: key, authenticating: data)
        else { throw .notAuthentic }
        counter += 1
        return Array(plaintext)
    }

    /// Four zero bytes, then the counter in little-endian order; the greatest counter is reserved.
    private func nonce() throws(HandshakeError) -> ChaChaPoly.Nonce {
        let bytes = [0, 0, 0, 0] + withUnsafeBytes(of: counter.littleEndian) { Array($0) }
        guard counter < .max, let nonce = try? ChaChaPoly.Nonce(data: bytes) else { throw .notAuthentic }
        return nonce
    }
}
