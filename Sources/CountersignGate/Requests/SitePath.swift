internal import CountersignWire
internal import FoundationEssentialsCompat

/// The path of a request, in a form that every server understands in the same way.
///
/// Nothing is normalized: a path that two servers could read differently is refused. That is one with a dot segment, an
/// empty segment, an encoded slash, a backslash, a path parameter (`;`), a control character, an encoding that is
/// doubled, broken or no UTF-8, or more than ``longest`` bytes.
/// Standard: RFC 3986 §3.3, §6.2.2.
package struct SitePath: Sendable, Hashable {
    /// The greatest length, in bytes.
    package static let longest = 4_096

    /// The decoded segments; the last one is empty after a slash at the end.
    let segments: [String]
    /// The segments as a server may read them that ignores case, dots and spaces at the end of a name, and what follows an
    /// encoded `;`, `?` or `#`.
    let folded: [String]

    /// Reads a path; `nil` when it is ambiguous.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.longest, text.utf8.first == UInt8(ascii: "/") else { return nil }
        var segments: [String] = []
        let parts = text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (place, part) in parts.enumerated() {
            guard let segment = Self.decoded(part), !segment.isEmpty || place == parts.count - 1 else { return nil }
            guard segment != ".", segment != ".." else { return nil }
            segments.append(segment)
        }
        self.segments = segments
        var folded = segments.map(Self.folded)
        if folded.last?.isEmpty == true { folded.removeLast() }
        self.folded = folded
    }

    /// Paths are equal letter by letter; with a slash at the end or without.
    package static func == (left: SitePath, right: SitePath) -> Bool { left.segments == right.segments }

    package func hash(into hasher: inout Hasher) { hasher.combine(segments) }

    private static func folded(_ segment: String) -> String {
        // Servers ignore case by small letters, or by capitals: ſ is S there.
        let scalarsOfName = Substring(segment.uppercased().lowercased()).unicodeScalars
        var scalars = scalarsOfName.prefix { !";?#".unicodeScalars.contains($0) }
        while let last = scalars.last, last == "." || last == " " { scalars.removeLast() }
        return String(scalars)
    }

    /// Decodes a segment once; `nil` when it is ambiguous.
    private static func decoded(_ part: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var rest = part[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(Form.hexDigit),
                    let low = rest.popFirst().flatMap(Form.hexDigit)
                else {
                    return nil
                }
                bytes.append(high << 4 | low)
            case 0x21...0x7E where !"\\;#?".utf8.contains(byte):
                bytes.append(byte)
            default:
                return nil
            }
        }
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") })
        else { return nil }
        guard !hasEncoding(bytes) else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        // Characters that some servers fold into dots and slashes, or drop.
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            !scalar.properties.isDefaultIgnorableCodePoint && !(0xFF00...0xFFEF).contains(scalar.value)
                && !(0x2024...0x2026).contains(scalar.value) && !(0x80...0x9F).contains(scalar.value)
        }
        return isPlain ? text : nil
    }

    /// Whether bytes that were decoded once could be decoded once more.
    private static func hasEncoding(_ bytes: [UInt8]) -> Bool {
        bytes.indices.contains { place in
            bytes[place] == UInt8(ascii: "%") && place + 2 < bytes.count && Form.hexDigit(bytes[place + 1]) != nil
                && Form.hexDigit(bytes[place + 2]) != nil
        }
    }
}
