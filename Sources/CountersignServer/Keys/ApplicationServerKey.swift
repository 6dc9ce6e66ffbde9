internal import Crypto
internal import FoundationEssentialsCompat

/// The key that identifies the server to the services of Web Push.
///
/// Subscriptions are bound to it, so it outlasts the rotation of signing keys: it is derived from the key of the seal,
/// which is never replaced.
///
/// Standard: RFC 8292 §2, §3.
struct ApplicationServerKey: Sendable {
    /// The lifetime of a token, in seconds; services refuse more than a day.
    static let lifetime: TimeInterval = 12 * 3600

    private let key: P256.Signing.PrivateKey

    /// - Throws: `CryptoKitError`, which does not happen: hardly one of 4 billion values is no key, and each has 255
    ///   others after it.
    init(derivedFrom sealing: SymmetricKey) throws {
        for attempt in UInt8.min..<UInt8.max {
            let bytes = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: sealing, info: Array("countersign application server key".utf8) + [attempt],
                outputByteCount: 32)
            guard let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes.withUnsafeBytes { Array($0) })
            else { continue }
            self.key = key
            return
        }
        throw Keys.UnusableKeyError(purpose: .secondFactors)
    }

    /// The public key, as browsers and apps name it to their push service.
    var text: String { URLSafeText.encode(key.publicKey.x963Representation) }

    private struct Claims: Encodable {
        let aud: String
        let exp: Int
        let sub: String?
    }

    /// The value of `Authorization` for a push service.
    ///
    /// - Parameters:
    ///   - origin: The origin of the push service.
    ///   - contact: The address at which the service reaches the operator: `mailto:` or https; `nil` for none.
    ///   - now: The current time.
    /// - Throws: An error of the encoder, which does not happen.
    func authorization(for origin: WebOrigin, contact: String?, at now: Date) throws -> String {
        let claims = Claims(
            aud: origin.rawValue, exp: Int((now + Self.lifetime).timeIntervalSince1970), sub: contact)
        let token = try CompactJWS.text(
            header: Array(JSONEncoder.wire.encode(CompactJWS.Header(algorithm: "ES256", type: "JWT"))),
            payload: Array(JSONEncoder.wire.encode(claims)),
            signedBy: { try Array(key.signature(for: $0).rawRepresentation) }
        )
        return "vapid t=\(token),k=\(text)"
    }
}
