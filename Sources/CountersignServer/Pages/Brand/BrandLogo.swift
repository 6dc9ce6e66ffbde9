/// The logo of the server: SVG or PNG.
///
/// Served from the server's origin with its own media type and a CSP that forbids scripts.
public struct BrandLogo: Sendable, Equatable {
    /// The format of a picture.
    public enum Format: String, Sendable {
        case svg = "image/svg+xml"
        case png = "image/png"
    }

    /// The picture as it was given.
    public let bytes: [UInt8]
    /// The format, by the picture's content.
    public let format: Format

    /// The maximum number of bytes: 256 KiB.
    public static let longest = 256 * 1024

    /// Takes a picture.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.longest, let format = Self.format(of: bytes) else { return nil }
        self.bytes = bytes
        self.format = format
    }

    /// Standard: Portable Network Graphics §5.2 for the signature.
    private static func format(of bytes: [UInt8]) -> Format? {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        guard start.hasPrefix("<svg") || start.hasPrefix("<?xml") || start.hasPrefix("<!--") else { return nil }
        return start.contains("<svg") ? .svg : nil
    }
}
