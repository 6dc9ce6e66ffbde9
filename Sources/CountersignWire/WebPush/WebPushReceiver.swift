internal import Crypto

/// The keys of an app that receives Web Push messages, such as one of UnifiedPush.
///
/// Standard: RFC 8291 §2, §4.
public struct WebPushReceiver: Sendable, Redacted {
    private let key: P256.KeyAgreement.PrivateKey
    private let secret: [UInt8]

    /// Makes new keys.
    ///
    /// - Parameter random: The source of the authentication secret; `RandomSource.system` outside tests.
    public init(drawingFrom random: RandomSource) {
        key = P256.KeyAgreement.PrivateKey()
        secret = random.bytes(WebPushSubscription.secretLength)
    }

    /// Restores keys from ``secretBytes``; `nil` for other bytes.
    ///
    /// - Parameter bytes: The stored bytes.
    public init?(restoring bytes: [UInt8]) {
        guard bytes.count == 32 + WebPushSubscription.secretLength,
            let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: bytes.prefix(32))
        else { return nil }
        self.key = key
        secret = Array(bytes.dropFirst(32))
    }

    /// The keys for a store of secrets: private key and authentication secret, 48 bytes.
    public var secretBytes: [UInt8] { Array(key.rawRepresentation) + secret }

    /// The subscription that the server gets.
    ///
    /// - Parameter endpoint: The address that the push service gave to the app.
    /// - Returns: `nil` for an address that is neither https nor http on this machine.
    public func subscription(at endpoint: String) -> WebPushSubscription? {
        WebPushSubscription(
            endpoint: endpoint, publicKey: Array(key.publicKey.x963Representation), secret: secret)
    }

    /// Decrypts a message.
    ///
    /// - Parameter body: The message, as the push service delivered it.
    /// - Returns: The content; `nil` for a message for other keys, or one that was changed.
    public func opened(_ body: [UInt8]) -> [UInt8]? {
        guard body.count <= WebPushMessage.longest, let content = EncryptedContent(parsing: body),
            let sender = try? P256.KeyAgreement.PublicKey(x963Representation: content.keyID),
            let shared = try? key.sharedSecretFromKeyAgreement(with: sender)
        else { return nil }
        return content.opened(
            by: WebPushMessage.keyMaterial(
                of: shared, secret: secret, receiver: Array(key.publicKey.x963Representation), sender: content.keyID))
    }
}
