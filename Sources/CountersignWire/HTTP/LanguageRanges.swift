/// The languages that a person would like to read, in the order of preference.
///
/// ```swift
/// let ranges = LanguageRanges(parsing: ["de-AT, en;q=0.5"])
/// let tag = ranges.lookup(in: ["en", "de"], otherwise: "en")      // "de"
/// ```
///
/// Standard: RFC 9110 §12.5.4 (`Accept-Language`); RFC 4647 §2.1, §3.4.
public struct LanguageRanges: Sendable, Equatable {
    /// The most ranges that are read; further ones are ignored.
    public static let most = 32
    /// The most bytes that are read; further ones are ignored.
    public static let longest = 1024

    /// The ranges in small letters, the preferred ones first; `*` for any language.
    public let preferred: [String]
    /// The ranges in small letters that a person does not want (`q=0`).
    public let refused: Set<String>

    /// Reads the values of a request's `Accept-Language` headers. Members that cannot be read are skipped.
    ///
    /// - Parameter headers: One text per header.
    public init(parsing headers: [String]) {
        var ranges: [(range: String, quality: Int)] = []
        let text = String(decoding: headers.joined(separator: ",").utf8.prefix(Self.longest), as: UTF8.self)
        for member in text.split(separator: ",").prefix(Self.most) {
            let parts = member.split(separator: ";", omittingEmptySubsequences: false).map { trimmed($0) }
            guard let range = Self.range(parts[0]) else { continue }
            switch parts.count {
            case 1: ranges.append((range, 1000))
            case 2: if let quality = Self.quality(parts[1]) { ranges.append((range, quality)) }
            default: continue
            }
        }
        // Ranges of the same quality keep their order.
        let sorted = ranges.enumerated().sorted { ($1.element.quality, $0.offset) < ($0.element.quality, $1.offset) }
        preferred = sorted.map(\.element).filter { $0.quality > 0 }.map(\.range)
        refused = Set(ranges.filter { $0.quality == 0 }.map(\.range))
    }

    /// Reads the parameter `ui_locales`: language tags with spaces between, the preferred one first.
    ///
    /// Standard: OpenID Connect Core 1.0 §3.1.2.1.
    ///
    /// - Parameter locales: The value of the parameter.
    public init(locales: String) {
        let text = String(decoding: locales.utf8.prefix(Self.longest), as: UTF8.self)
        preferred = text.split(separator: " ").prefix(Self.most).compactMap { Self.range($0) }.filter { $0 != "*" }
        refused = []
    }

    /// The one of the available languages that fits best: each range is shortened from its end until one is found.
    ///
    /// - Parameters:
    ///   - available: The tags of the languages that there are, in small letters.
    ///   - fallback: The one of them that stands for any language (`*`), unless it is refused.
    /// - Returns: One of `available`; `nil` when no range fits one.
    public func lookup(in available: [String], otherwise fallback: String) -> String? {
        let acceptable = available.filter { tag in !Self.shortened(tag).contains { refused.contains($0) } }
        for range in preferred where range != "*" {
            for candidate in Self.shortened(range) where acceptable.contains(candidate) { return candidate }
        }
        guard preferred.contains("*") else { return nil }
        return acceptable.contains(fallback) ? fallback : acceptable.first
    }

    /// A range, and what it becomes when it is shortened subtag by subtag; a single letter goes with its successor.
    private static func shortened(_ range: String) -> [String] {
        var subtags = range.split(separator: "-")
        var forms: [String] = []
        while !subtags.isEmpty {
            forms.append(subtags.joined(separator: "-"))
            subtags.removeLast()
            if let last = subtags.last, last.utf8.count == 1 { subtags.removeLast() }
        }
        return forms
    }

    /// `*`, or subtags of one to eight letters and digits, the first of letters only.
    private static func range(_ text: Substring) -> String? {
        guard text != "*" else { return "*" }
        let subtags = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isWellFormed = subtags.enumerated().allSatisfy { place, subtag in
            (1...8).contains(subtag.count)
                && subtag.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                    case UInt8(ascii: "0")...UInt8(ascii: "9"): place > 0
                    default: false
                    }
                }
        }
        return isWellFormed ? text.lowercased() : nil
    }

    /// A weight from 0 to 1 with at most three decimals, in thousandths.
    ///
    /// Standard: RFC 9110 §12.4.2.
    private static func quality(_ parameter: Substring) -> Int? {
        let halves = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, halves[0].lowercased() == "q" else { return nil }
        let parts = halves[1].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let decimals = parts.count == 2 ? parts[1] : ""
        guard parts[0] == "0" || parts[0] == "1", decimals.utf8.count <= 3,
            decimals.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let thousandths = Int(decimals + String(repeating: "0", count: 3 - decimals.utf8.count))
        else { return nil }
        let quality = (parts[0] == "1" ? 1000 : 0) + thousandths
        return quality <= 1000 ? quality : nil
    }
}
