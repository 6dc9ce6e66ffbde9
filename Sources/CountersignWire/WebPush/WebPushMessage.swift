package import Crypto

/// The encryption of push messages for their receiver alone.
///
/// Standard: RFC 8291 §3, §4.
package enum WebPushMessage {
    /// The longest encrypted message that every push service takes, in bytes.
    ///
    /// Standard: RFC 8030 §7.2, RFC 8291 §4.
    package static let longest = 4096
    /// The size of the record, in bytes; a message has one.
    private static let recordSize: UInt32 = 4096
    /// The number of bytes of header, delimiter and tag.
    private static let overhead = 86 + 1 + 16
    /// The longest plaintext, in bytes.
    package static let longestPlaintext = longest - overhead

    /// A message is longer than ``longestPlaintext``.
    package struct TooLongError: Error {}

    /// Encrypts a message.
    ///
    /// - Parameters:
    ///   - plaintext: The message.
    ///   - step: The length of the padded message is a multiple of it, in bytes; 1, the default, for no padding.
    ///   - subscription: The receiver.
    ///   - sender: A key pair for this message alone.
    ///   - salt: 16 random bytes for this message alone.
    /// - Returns: The body of the request to the push service.
    /// - Throws: ``TooLongError``; `CryptoKitError`, which does not happen with a subscription that was read.
    package static func encrypted(
        _ plaintext: [UInt8], paddedTo step: Int = 1, to subscription: WebPushSubscription,
        from sender: P256.KeyAgreement.PrivateKey, salt: [UInt8]
    ) throws -> [UInt8] {
        guard plaintext.count <= longestPlaintext else { throw TooLongError() }
        let padded = min((plaintext.count + step - 1) / step * step, longestPlaintext)
        let receiver = try P256.KeyAgreement.PublicKey(x963Representation: subscription.publicKey)
        let senderKey = Array(sender.publicKey.x963Representation)
        let shared = try sender.sharedSecretFromKeyAgreement(with: receiver)
        let key = keyMaterial(
            of: shared, secret: subscription.secret, receiver: subscription.publicKey, sender: senderKey)
        return try EncryptedContent(
            sealing: plaintext, padding: padded - plaintext.count, salt: salt, recordSize: recordSize,
            keyID: senderKey, by: key
        ).bytes
    }

    /// The input keying material of both sides.
    ///
    /// Standard: RFC 8291 §3.3, §3.4.
    static func keyMaterial(
        of shared: Crypto.SharedSecret, secret: [UInt8], receiver: [UInt8], sender: [UInt8]
    ) -> SymmetricKey {
        shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: secret, sharedInfo: Array("WebPush: info\0".utf8) + receiver + sender,
            outputByteCount: 32)
    }
}
