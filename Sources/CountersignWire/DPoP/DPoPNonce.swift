public import HTTPTypes

/// A value that a server issues and requires in the next proofs, as evidence of freshness.
///
/// It is no secret. A client sends the newest one that it received from a server.
///
/// Standard: RFC 9449 §8, §9.
public struct DPoPNonce: Identifier {
    /// The longest nonce that is read, in bytes.
    static let longest = 256

    /// The wire form of the nonce, in `DPoP-Nonce` and in proofs.
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reads a nonce.
    ///
    /// - Parameter text: 1 to 256 characters of ASCII without space, `"` and `\`; `nil` is returned for anything else.
    public init?(parsing text: String) {
        let isAllowed = { (byte: UInt8) in
            (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
        }
        guard (1...Self.longest).contains(text.utf8.count), text.utf8.allSatisfy(isAllowed) else { return nil }
        rawValue = text
    }

    /// Reads the nonce of an answer.
    ///
    /// - Parameter fields: The header fields of the answer; `nil` is returned when they hold no nonce, or several.
    public init?(in fields: HTTPFields) {
        let values = fields[values: .dpopNonce]
        guard values.count == 1 else { return nil }
        self.init(parsing: values[0])
    }
}

extension HTTPField.Name {
    /// The header field that holds a proof. Standard: RFC 9449 §4.1.
    public static let dpop = HTTPField.Name("DPoP")!
    /// The header field of a server's nonce. Standard: RFC 9449 §8.
    public static let dpopNonce = HTTPField.Name("DPoP-Nonce")!
}
