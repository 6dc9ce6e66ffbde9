internal import Countersign

/// A signed token split into its parts, before any of it is trusted.
///
/// Standard: RFC 7515 §3.1 (compact serialization).
public struct CompactJWS: Sendable {
    /// The members of the protected header that are used here.
    ///
    /// Standard: RFC 7515 §4.1.
    public struct Header: Sendable, Equatable, Codable {
        /// The signature algorithm, such as `ES256` (`alg`).
        public var algorithm: String
        /// The key that made the signature (`kid`).
        public var keyID: JSONWebKey.ID?
        /// The type of the token, such as `at+jwt` (`typ`).
        public var type: String?
        /// Extensions that a reader must understand (`crit`). None is understood here, so a token that has any is
        /// refused.
        public var critical: [String]?

        /// Creates a header to write.
        ///
        /// - Parameters:
        ///   - algorithm: The signature algorithm's registered name.
        ///   - keyID: The key that signs; left out by default.
        ///   - type: The type of the token; left out by default.
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

    /// The bytes under the signature: the encoded header, a dot, the encoded payload.
    public let signedBytes: [UInt8]
    /// The header as JSON.
    public let headerBytes: [UInt8]
    /// The payload; JSON in a JWT.
    public let payload: [UInt8]
    /// The signature's bytes.
    public let signature: [UInt8]

    /// Splits a token. Nothing is verified.
    ///
    /// - Parameter text: The compact form; `nil` is returned unless it has three parts of base64url.
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

    /// Writes a token.
    ///
    /// - Parameters:
    ///   - header: The protected header as JSON.
    ///   - payload: The payload, JSON in a JWT.
    ///   - sign: Returns the signature over the bytes that it receives.
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
    /// `CompactJWS(redacted)`: a token is never printed.
    public var description: String { "CompactJWS(redacted)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// A mirror that shows nothing of the token.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
