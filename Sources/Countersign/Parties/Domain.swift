/// The service that a token is valid for: a host, with its port where it has one, such as `sp.example.com` or
/// `sp:8002`.
///
/// It has neither scheme nor path, and two domains are equal only when they are the same text, upper and lower case
/// included.
/// Standard: ETSI TS 103 407 §4 (domain).
public struct Domain: Identifier {
    /// The host, and the port after a colon.
    public let rawValue: String

    /// Creates a domain from text that was parsed before; nothing is checked.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reads a domain.
    ///
    /// - Parameter text: A host name or a bracketed IPv6 address, and optionally a colon and a port from 1 to 65535;
    ///   `nil` is returned for anything else, such as a URL, and for more than 260 bytes.
    public init?(parsing text: String) {
        guard text.utf8.count <= 260 else { return nil }
        let (host, port) = Self.parts(of: text)
        guard Self.isHost(host) else { return nil }
        if let port {
            guard (1...5).contains(port.utf8.count), port.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = UInt16(port), number > 0
            else { return nil }
        }
        rawValue = text
    }

    private static func parts(of text: String) -> (host: Substring, port: Substring?) {
        let end = text.hasPrefix("[") ? text.lastIndex(of: "]").map { text.index(after: $0) } : text.lastIndex(of: ":")
        guard let end, end < text.endIndex else { return (text[...], nil) }
        guard text[end] == ":" else { return ("", nil) }
        return (text[..<end], text[text.index(after: end)...])
    }

    /// Standard: RFC 3986 §3.2.2; only names and literal IPv6 addresses are accepted.
    private static func isHost(_ host: Substring) -> Bool {
        if host.hasPrefix("["), host.hasSuffix("]") {
            let inner = host.dropFirst().dropLast()
            return inner.contains(":") && inner.utf8.allSatisfy { isHexDigit($0) || $0 == 0x3A || $0 == 0x2E }
        }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return host.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy { isLetterOrDigit($0) || $0 == 0x2D || $0 == 0x5F }
            }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }
}
