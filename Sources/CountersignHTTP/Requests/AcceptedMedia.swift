internal import HTTPTypes

/// The media types that a client accepts, with their weights (`Accept`).
///
/// Standard: RFC 9110 §12.5.1.
package struct AcceptedMedia: Sendable {
    private var ranges: [(type: Substring, quality: Double)] = []

    /// Reads the header fields; a part that cannot be read is left out.
    package init(parsing values: [String]) {
        for part in values.flatMap({ $0.split(separator: ",") }).prefix(64) {
            let pieces = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard let type = pieces.first, type.contains("/") else { continue }
            let quality = pieces.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            ranges.append((type[...], min(max(quality, 0), 1)))
        }
    }

    /// The type among `offered` with the greatest weight, the first of equal ones; `nil` when none has any.
    package func best(of offered: [String]) -> String? {
        var best: (type: String, quality: Double)?
        for type in offered {
            let quality = quality(of: type)
            if quality > best?.quality ?? 0 { best = (type, quality) }
        }
        return best?.type
    }

    /// Whether a type is named itself, not only by a range.
    package func names(_ type: String) -> Bool { ranges.contains { $0.type == type } }

    /// The weight of a media type, by the range that names it most exactly.
    private func quality(of type: String) -> Double {
        let names = [type, "\(type.prefix { $0 != "/" })/*", "*/*"]
        for name in names {
            if let range = ranges.first(where: { $0.type == name }) { return range.quality }
        }
        return 0
    }
}
