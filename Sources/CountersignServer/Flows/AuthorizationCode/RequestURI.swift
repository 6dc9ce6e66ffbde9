internal import Countersign

/// The name of an authorization request that a client stored.
///
/// Standard: RFC 9126 §2.2.
struct RequestURI: Sendable, Redacted {
    /// The part that only the client and the browser know.
    struct Reference: TimeOrderedSecret {
        let revealed: String
        init(revealing text: String) { revealed = text }
    }

    private static let prefix = "urn:ietf:params:oauth:request_uri:"

    let secret: Reference

    init(_ secret: Reference) {
        self.secret = secret
    }

    /// Reads a `request_uri`; `nil` unless it is one that this server gave.
    init?(parsing text: String?) {
        guard let text, text.hasPrefix(Self.prefix), text.utf8.count < 200 else { return nil }
        secret = Reference(revealing: String(text.dropFirst(Self.prefix.count)))
    }

    var revealed: String { Self.prefix + secret.revealed }
}
