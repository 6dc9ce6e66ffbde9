internal import CountersignWire

/// The path of a request, in a form that every server understands in the same way.
///
/// Nothing is normalized: a path that two servers could read differently is refused. That is one with a dot segment, an
/// empty segment, one that is either of them when ``folded``, a slash or a backslash that is encoded or the compatibility
/// form of a character, a path parameter (`;`; an encoded one is part of a name), a control character, an encoding that is
/// doubled, broken or no UTF-8, or more than ``longest`` bytes.
/// Standard: RFC 3986 §3.3, §6.2.2.
package struct SitePath: Sendable, Hashable {
    /// The greatest length, in bytes.
    package static let longest = 4_096

    /// The decoded segments; the last one is empty after a slash at the end.
    let segments: [String]
    /// The segments as a server may read them by ``FoldedName``, up to the end of the path there.
    let folded: [String]
    /// Whether such a server leaves anything out that follows an encoded `;`, `?` or `#`.
    let isShortened: Bool

    /// Reads a path; `nil` when it is ambiguous.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.longest, text.utf8.first == UInt8(ascii: "/") else { return nil }
        var (segments, folded): ([String], [String]) = ([], [])
        var (isEnded, isShortened) = (false, false)
        let parts = text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (place, part) in parts.enumerated() {
            let isLast = place == parts.count - 1
            guard let segment = Self.decoded(part), segment != ".", segment != ".." else { return nil }
            segments.append(segment)
            if segment.isEmpty, isLast { break }
            // The end of the path may belong to the parameter before it, or not.
            guard let name = FoldedName(segment), isLast || !(name.hasParameter && name.endsPath) else { return nil }
            if !isEnded, !name.text.isEmpty { folded.append(name.text) }
            isEnded = isEnded || name.endsPath
            isShortened = isShortened || name.hasParameter || name.endsPath
        }
        (self.segments, self.folded, self.isShortened) = (segments, folded, isShortened)
    }

    /// Paths are equal letter by letter; with a slash at the end or without.
    package static func == (left: SitePath, right: SitePath) -> Bool {
        left.segments.count == right.segments.count && left.isBelow(right)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(segments) }

    /// Whether the segments begin with those of another path, letter by letter: `String` takes some letters for others.
    func isBelow(_ other: SitePath) -> Bool {
        segments.starts(with: other.segments) { $0.utf8.elementsEqual($1.utf8) }
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
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F || "/\\".utf8.contains($0) }) else { return nil }
        guard !hasEncoding(bytes), let text = String(validating: bytes, as: UTF8.self) else { return nil }
        guard bytes.contains(where: { $0 >= 0x80 }) else { return text }
        return text.unicodeScalars.contains { (0x80...0x9F).contains($0.value) } ? nil : text
    }

    /// Whether bytes that were decoded once could be decoded once more.
    static func hasEncoding(_ bytes: [UInt8]) -> Bool {
        bytes.indices.contains { place in
            bytes[place] == UInt8(ascii: "%") && place + 2 < bytes.count && Form.hexDigit(bytes[place + 1]) != nil
                && Form.hexDigit(bytes[place + 2]) != nil
        }
    }
}
