internal import Crypto
internal import FoundationEssentialsCompat
internal import HTTPTypes

/// The address of a browser, or of an app of UnifiedPush, at its push service, with the keys for its messages.
///
/// It is the JSON that a browser makes of its `PushSubscription`; further members are ignored.
///
/// Standard: Push API §8 (`PushSubscriptionJSON`), RFC 8291 §2.1.
public struct WebPushSubscription: Sendable, Hashable, Codable, Redacted {
    /// The longest address of a push service, in bytes: that of any endpoint.
    public static let longestEndpoint = Endpoint.longest
    /// The number of bytes of an authentication secret.
    static let secretLength = 16

    /// The address that messages are sent to: https, or http on this machine.
    public let endpoint: String
    /// The public key of the receiver on P-256, uncompressed: 65 bytes.
    package let publicKey: [UInt8]
    /// The authentication secret of the receiver, 16 bytes.
    package let secret: [UInt8]

    /// Describes a subscription.
    ///
    /// - Returns: `nil` for an address that is no endpoint of a server, a key that is no point on P-256, and a secret of
    ///   another length.
    package init?(endpoint: String, publicKey: [UInt8], secret: [UInt8]) {
        guard (try? Endpoint(endpoint)) != nil,
            (try? P256.KeyAgreement.PublicKey(x963Representation: publicKey)) != nil,
            secret.count == Self.secretLength
        else { return nil }
        self.endpoint = endpoint
        self.publicKey = publicKey
        self.secret = secret
    }

    /// Reads the JSON of a subscription; `nil` for anything else.
    package init?(parsing text: String) {
        guard let read = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = read
    }

    /// The subscription as JSON, always in the same spelling.
    package var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts can always be encoded.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The origin of the push service.
    ///
    /// Standard: RFC 8292 §2 (`aud`).
    package var origin: WebOrigin {
        guard let request = try? Endpoint(endpoint).request(.post), let scheme = request.scheme,
            let authority = request.authority
        else { return WebOrigin("") }
        let usual = scheme == "https" ? ":443" : ":80"
        let host = authority.hasSuffix(usual) ? String(authority.dropLast(usual.count)) : authority
        return WebOrigin("\(scheme)://\(host)".lowercased())
    }

    private enum CodingKeys: String, CodingKey {
        case endpoint, keys
    }

    private struct Keys: Codable {
        let p256dh, auth: String
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let keys = try members.decode(Keys.self, forKey: .keys)
        guard keys.p256dh.utf8.count <= 256, keys.auth.utf8.count <= 256,
            let publicKey = Self.bytes(keys.p256dh), let secret = Self.bytes(keys.auth),
            let read = Self(
                endpoint: try members.decode(String.self, forKey: .endpoint), publicKey: publicKey, secret: secret)
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .keys, in: members, debugDescription: "no subscription for push messages")
        }
        self = read
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(endpoint, forKey: .endpoint)
        let keys = Keys(p256dh: URLSafeText.encode(publicKey), auth: URLSafeText.encode(secret))
        try members.encode(keys, forKey: .keys)
    }

    /// The bytes of base64url; some apps add the padding.
    private static func bytes(_ text: String) -> [UInt8]? {
        URLSafeText.decode(text.prefix { $0 != "=" })
    }
}
