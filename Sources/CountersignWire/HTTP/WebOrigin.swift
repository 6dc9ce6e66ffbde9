/// The origin of a web page as its browser reports it: scheme, host and port, without a path.
///
/// Standard: RFC 6454 §6.2.
public struct WebOrigin: Identifier {
    /// The origin in lower case, such as `https://tv.example.com`.
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reads an origin.
    ///
    /// - Parameter text: Scheme, `://`, host, and optionally a port; `nil` is returned for anything else, such as a URL
    ///   with a path, and for `null`.
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
