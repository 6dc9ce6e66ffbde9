public import Countersign

/// Where a web page comes from, as its browser says: scheme, host and port, without a path.
///
/// Standard: RFC 6454 §6.2.
public struct WebOrigin: Identifier {
    public let rawValue: String

    /// Takes over an origin that was parsed before.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reads an origin, which is kept in lower case; `nil` for anything else, like a URL with a path, and for `null`.
    public init?(parsing text: String) {
        guard let colon = text.firstRange(of: "://") else { return nil }
        let scheme = text[..<colon.lowerBound].utf8
        let isLetter = { (byte: UInt8) in (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
        guard let first = scheme.first, isLetter(first), scheme.count <= 32,
            scheme.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0) }),
            Domain(parsing: String(text[colon.upperBound...])) != nil
        else { return nil }
        rawValue = text.lowercased()
    }
}
