internal import Countersign

/// A signed token taken apart, before anything of it is believed.
///
/// Standard: RFC 7515 §3.1 (compact serialization).
public struct CompactJWS: Sendable {
    /// The members of the protected header that matter here.
    ///
    /// Standard: RFC 7515 §4.1.
    public struct Header: Sendable, Equatable, Codable {
        public var algorithm: String
        public var keyID: JSONWebKey.ID?
        public var type: String?
        /// Extensions that a reader must understand; this one understands none.
        public var critical: [String]?

        public init(algorithm: String, keyID: JSONWebKey.ID? = nil, type: String? = nil) {
            self.algorithm = algorithm
            self.keyID = keyID
            self.type = type
        }

        enum CodingKeys: String, CodingKey {
            case algorithm = "alg"
            case keyID = "kid"
            case type = "typ"
            case critical = "crit"
        }
    }

    /// The bytes that are signed: encoded header, a dot, encoded payload.
    public let signedBytes: [UInt8]
    /// The JSON of the header.
    public let headerBytes: [UInt8]
    /// The payload, JSON in a JWT.
    public let payload: [UInt8]
    public let signature: [UInt8]

    /// Takes `text` apart; `nil` when it has not three parts of base64url.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = URLSafeText.decode(parts[0]), let payload = URLSafeText.decode(parts[1]),
            let signature = URLSafeText.decode(parts[2])
        else { return nil }
        signedBytes = Array("\(parts[0]).\(parts[1])".utf8)
        headerBytes = header
        self.payload = payload
        self.signature = signature
    }

    /// Puts a token together, with `sign` making the signature over the bytes it is given.
    public static func text(
        header: [UInt8],
        payload: [UInt8],
        signedBy sign: ([UInt8]) throws -> [UInt8]
    ) rethrows -> String {
        let signed = "\(URLSafeText.encode(header)).\(URLSafeText.encode(payload))"
        let signature = try sign(Array(signed.utf8))
        return "\(signed).\(URLSafeText.encode(signature))"
    }
}

/// Prints as redacted: put together again, the parts are the token.
extension CompactJWS: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "CompactJWS(redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
