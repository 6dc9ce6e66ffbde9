internal import Crypto

/// Names a public key by its digest: 43 characters of base64url.
///
/// ```swift
/// let key = DPoPKey(drawingFrom: .system)
/// let thumbprint = KeyThumbprint(of: key.publicKey)  // the same as key.thumbprint
/// ```
///
/// Standard: RFC 7638 §3, with SHA-256.
public struct KeyThumbprint: Identifier {
    /// The number of characters of a thumbprint.
    static let length = 43

    /// The wire form of the thumbprint, in `jkt` and `dpop_jkt`.
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reads a thumbprint.
    ///
    /// - Parameter text: 43 characters of base64url; `nil` is returned for anything else.
    public init?(parsing text: String) {
        guard text.utf8.count == Self.length, URLSafeText.decode(text)?.count == 32 else { return nil }
        rawValue = text
    }

    /// Computes the thumbprint of a key.
    ///
    /// - Parameter key: A key on P-256 or an RSA key; `nil` is returned for other kinds, and for numbers that are not
    ///   written as RFC 7518 §6 demands.
    public init?(of key: JSONWebKey) {
        // The members that count, sorted by name. Base64url needs no escape.
        let json: String
        switch key.keyType {
        case "EC":
            guard key.curve == "P-256", let x = key.x, let y = key.y, Self.isNumber(x, of: 32...32),
                Self.isNumber(y, of: 32...32)
            else { return nil }
            json = #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
        case "RSA":
            guard let modulus = key.modulus, let exponent = key.exponent, Self.isNumber(modulus, of: 256...1024),
                Self.isNumber(exponent, of: 1...8)
            else { return nil }
            json = #"{"e":"\#(exponent)","kty":"RSA","n":"\#(modulus)"}"#
        default: return nil
        }
        rawValue = URLSafeText.encode(SHA256.hash(data: Array(json.utf8)))
    }

    private static func isNumber(_ text: String, of lengths: ClosedRange<Int>) -> Bool {
        guard text.utf8.count <= 1400, let bytes = URLSafeText.decode(text) else { return false }
        // A leading zero would give one RSA key several thumbprints.
        return lengths.contains(bytes.count) && (lengths.count == 1 || bytes.first != 0)
    }
}
