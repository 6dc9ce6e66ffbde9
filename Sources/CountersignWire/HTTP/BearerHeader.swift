public import Countersign

/// The header by which a client presents an access token.
///
/// Standard: RFC 6750 §2.1.
public enum BearerHeader {
    /// The token in the value of an `Authorization` header; `nil` when it is of another scheme or form.
    public static func token(in header: String) -> AccessToken? {
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        let text = trimmed(parts[1])
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        return AccessToken(revealing: String(text))
    }

    /// The value of the header that presents `token`.
    public static func value(for token: AccessToken) -> String {
        "Bearer \(token.revealed)"
    }
}
