/// The header that presents a client's access token.
///
/// ```swift
/// let value = BearerHeader.value(for: token)      // "Bearer 2YotnFZFEjr1zCsicMWpAA"
/// ```
///
/// Standard: RFC 6750 §2.1.
public enum BearerHeader {
    /// Reads the token from the value of an `Authorization` header.
    ///
    /// The scheme is compared without regard to case (RFC 9110 §11.1).
    ///
    /// - Parameter header: The value of the header.
    /// - Returns: The token; `nil` for another scheme, or for characters that a token may not have.
    public static func token(in header: String) -> AccessToken? { token(in: header, scheme: "bearer") }

    /// The same for another scheme whose tokens have this form; its name is in lower case.
    static func token(in header: String, scheme: String) -> AccessToken? {
        let parts = trimmed(header[...]).split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == scheme else { return nil }
        let text = parts[1].drop { $0 == " " }
        let end = text.utf8.lastIndex { $0 != UInt8(ascii: "=") }
        guard let end, text.utf8[...end].allSatisfy(isTokenByte) else { return nil }
        return AccessToken(revealing: String(text))
    }

    /// A character of `b64token`, apart from the `=` at its end.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~+/".utf8.contains(byte)
        }
    }

    /// Returns the value of the header that presents `token`.
    ///
    /// - Parameter token: A token that is bound to no key.
    public static func value(for token: AccessToken) -> String { "Bearer \(token.revealed)" }
}
