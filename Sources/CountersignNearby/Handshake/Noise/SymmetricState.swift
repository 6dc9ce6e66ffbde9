internal import Crypto
internal import FoundationEssentialsCompat

/// The state of a handshake: a hash of all messages, and a key from all key agreements.
///
/// Standard: The Noise Protocol Framework, revision 34, §5.2.
struct SymmetricState: Sendable {
    /// The name of the protocol, which the hash begins with.
    private static let protocolName = Array("Noise_XX_25519_ChaChaPoly_SHA256".utf8)

    /// The chaining key; the next key is derived from it.
    private var chainingKey: [UInt8]
    /// The hash of all messages so far.
    private(set) var hash: [UInt8]
    /// Seals payloads once there is a key.
    private var cipher: CipherState?

    /// The state before the first message.
    init(prologue: [UInt8]) {
        // The name has the length of a hash, so it is used unhashed.
        chainingKey = Self.protocolName
        hash = Self.protocolName
        mix(prologue)
    }

    /// Mixes public data into the hash.
    mutating func mix(_ data: [UInt8]) { hash = Array(SHA256.hash(data: hash + data)) }

    /// Mixes a shared secret into the key; later payloads are sealed with the new key.
    mutating func mix(secret: [UInt8]) {
        let (next, key) = derived(from: secret)
        chainingKey = next
        cipher = CipherState(key: key)
    }

    /// Seals a part of a handshake message, or leaves it unencrypted while there is no key, and hashes it.
    mutating func seal(_ plaintext: [UInt8]) throws(HandshakeError) -> [UInt8] {
        let sealed = try cipher?.seal(plaintext, authenticating: hash) ?? plaintext
        mix(sealed)
        return sealed
    }

    /// The reverse of ``seal(_:)``.
    mutating func open(_ sealed: [UInt8]) throws(HandshakeError) -> [UInt8] {
        let plaintext = try cipher?.open(sealed, authenticating: hash) ?? sealed
        mix(sealed)
        return plaintext
    }

    /// The two directions after the last message: from the initiator, and from the responder.
    func split() -> (fromInitiator: CipherState, fromResponder: CipherState) {
        let (first, second) = derived(from: [])
        return (CipherState(key: first), CipherState(key: second))
    }

    /// HKDF with two outputs (§4.3).
    private func derived(from secret: [UInt8]) -> ([UInt8], [UInt8]) {
        let temporary = Self.authentication(of: secret, by: chainingKey)
        let first = Self.authentication(of: [1], by: temporary)
        return (first, Self.authentication(of: first + [2], by: temporary))
    }

    /// HMAC-SHA-256.
    private static func authentication(of data: [UInt8], by key: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: data, using: SymmetricKey(data: key)))
    }
}
