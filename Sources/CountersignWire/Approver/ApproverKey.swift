internal import Crypto
internal import FoundationEssentialsCompat

/// The public half of the key that signs a phone's decisions: a point on P-256.
///
/// Standard: RFC 7517 §4 and RFC 7518 §6.2.1 for its form as JSON.
public struct ApproverKey: Sendable, Hashable {
    /// The number of bytes of ``rawRepresentation``.
    static let length = 64

    /// Both coordinates, x then y, 32 bytes each, big-endian.
    public let rawRepresentation: [UInt8]

    /// Creates a key from its coordinates.
    ///
    /// - Parameter bytes: 64 bytes, x then y; `nil` is returned unless they are a point on the curve.
    public init?(rawRepresentation bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.length, (try? P256.Signing.PublicKey(rawRepresentation: bytes)) != nil else {
            return nil
        }
        rawRepresentation = bytes
    }

    /// A key read back from a store.
    package init(restoring bytes: [UInt8]) { rawRepresentation = bytes }

    /// Whether `signature` over `bytes` was made with the private half.
    ///
    /// Standard: RFC 7518 §3.4.
    func verifies(_ signature: [UInt8], over bytes: [UInt8]) -> Bool {
        guard let key = try? P256.Signing.PublicKey(rawRepresentation: rawRepresentation),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
        else { return false }
        return key.isValidSignature(signature, for: Data(bytes))
    }

    /// A short name for the key, which people can compare with one they noted: 43 characters of base64url.
    ///
    /// Standard: RFC 7638 §3.
    public var thumbprint: String {
        let json = #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
        return URLSafeText.encode(SHA256.hash(data: Array(json.utf8)))
    }

    fileprivate var x: String { URLSafeText.encode(rawRepresentation.prefix(32)) }
    fileprivate var y: String { URLSafeText.encode(rawRepresentation.suffix(32)) }
}

extension ApproverKey: Codable {
    private enum CodingKeys: String, CodingKey {
        case keyType = "kty"
        case curve = "crv"
        case x, y
        /// The private half, which must never be sent; a key that has it is refused.
        case secret = "d"
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let broken = DecodingError.dataCorrupted(
            DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no public key on P-256")
        )
        guard !fields.contains(.secret), try fields.decode(String.self, forKey: .keyType) == "EC",
            try fields.decode(String.self, forKey: .curve) == "P-256",
            let x = URLSafeText.decode(try fields.decode(String.self, forKey: .x)), x.count == 32,
            let y = URLSafeText.decode(try fields.decode(String.self, forKey: .y)), y.count == 32,
            let key = ApproverKey(rawRepresentation: x + y)
        else { throw broken }
        self = key
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode("EC", forKey: .keyType)
        try fields.encode("P-256", forKey: .curve)
        try fields.encode(x, forKey: .x)
        try fields.encode(y, forKey: .y)
    }
}
