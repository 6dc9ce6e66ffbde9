/// A telephone number in its international form, such as `+31612345678`.
///
/// ```swift
/// let number = try PhoneNumber("06 12 34 56 78", dialledIn: "NL")
/// ```
///
/// Its calling code exists, and it has as many digits as a mobile number there; whether it is in use only a message
/// shows.
///
/// Standard: ITU-T E.164 §6.2.
public struct PhoneNumber: Sendable, Hashable, CustomStringConvertible {
    /// The reason that text is no number that receives messages.
    public enum ParsingError: String, Error, Sendable, Hashable, CaseIterable {
        /// It has other characters than a number has, or too many digits.
        case notANumber = "not a telephone number"
        /// It has no calling code, and no default region applies.
        case noCountry = "without a country: write it with + in front"
        /// No country has this calling code, or the named region is unknown.
        case unknownCountry = "of no known country"
        /// A mobile number there has another count of digits.
        case length = "too short or too long for its country"
    }

    /// The number with `+` in front, 4 to 16 characters.
    public let text: String
    /// The calling code, 1 to 3 digits.
    public let callingCode: String

    /// Reads a number as people write it: with spaces, dashes, dots, brackets and slashes, digits of any script, and
    /// the marks that contact lists put around it.
    ///
    /// - Parameters:
    ///   - text: The number, at most 64 characters.
    ///   - region: The region of numbers without calling code, by ISO 3166 such as `NL`; `nil`, the default, accepts
    ///     international numbers only.
    /// - Throws: ``ParsingError``.
    public init(_ text: String, dialledIn region: String? = nil) throws(ParsingError) {
        let home = try region.map { name throws(ParsingError) in
            guard let home = CallingCodes.regions[name.uppercased()] else { throw .unknownCountry }
            return home
        }
        var digits = try Self.digits(in: text)
        var isInternational = digits.first == "+"
        if isInternational {
            digits.removeFirst()
        } else {
            guard let home else { throw .noCountry }
            let prefix = home.code == "1" ? "011" : "00"
            isInternational = digits.hasPrefix(prefix)
            if isInternational { digits.removeFirst(prefix.count) }
        }
        guard isInternational else {
            let code = home?.code ?? ""
            self = try Self.number(code, digits)
            return
        }
        guard !digits.hasPrefix("0"),
            let code = (1...3).map({ String(digits.prefix($0)) }).first(where: { CallingCodes.byCode[$0] != nil })
        else { throw .unknownCountry }
        self = try Self.number(code, String(digits.dropFirst(code.count)))
    }

    /// Creates a number from parts that need no further checks.
    private init(code: String, national: String) {
        text = "+\(code)\(national)"
        callingCode = code
    }

    /// A national number, without the trunk prefix.
    private static func number(_ code: String, _ digits: String) throws(ParsingError) -> PhoneNumber {
        guard let country = CallingCodes.byCode[code] else { throw .unknownCountry }
        if country.lengths.contains(digits.utf8.count), country.trunk.map({ !digits.hasPrefix($0) }) ?? true {
            return PhoneNumber(code: code, national: digits)
        }
        if let trunk = country.trunk, digits.hasPrefix(trunk),
            country.lengths.contains(digits.utf8.count - trunk.utf8.count)
        {
            return PhoneNumber(code: code, national: String(digits.dropFirst(trunk.count)))
        }
        guard country.lengths.contains(digits.utf8.count) else { throw .length }
        return PhoneNumber(code: code, national: digits)
    }

    /// The digits, with the leading `+` if present.
    private static func digits(in text: String) throws(ParsingError) -> String {
        guard text.unicodeScalars.count <= 64 else { throw .notANumber }
        let digits = TypedText.folded(text, skipping: ".()/")
        let isNumber = digits.drop { $0 == "+" }.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber, !digits.hasPrefix("++"), (4...18).contains(digits.utf8.count) else { throw .notANumber }
        return digits
    }

    /// The number for a list or a log: calling code and the last two digits.
    public var masked: String {
        let hidden = text.utf8.count - 1 - callingCode.utf8.count - 2
        return "+\(callingCode)\(String(repeating: "•", count: max(hidden, 0)))\(text.suffix(2))"
    }

    /// The same as ``masked``: a whole number is printed only on explicit request.
    public var description: String { masked }
}

extension CallingCodes {
    /// The format of a country's numbers, for all regions that share a calling code.
    struct Country {
        let code: String
        /// The prefix that people dial before a number within the country; `nil` for nothing.
        let trunk: String?
        /// The possible counts of digits in a mobile number, without code and trunk.
        var lengths: Set<Int>
    }

    /// The countries by calling code; the trunk digits are those of the main region.
    static let byCode: [String: Country] = entries.reduce(into: [:]) { countries, entry in
        countries[entry.country.code, default: entry.country].lengths.formUnion(entry.country.lengths)
    }

    /// The countries by the code of a region.
    static let regions: [String: Country] = Dictionary(uniqueKeysWithValues: entries.map { ($0.region, $0.country) })

    private static let entries: [(region: String, country: Country)] = table.split { "\n;".contains($0) }.map { entry in
        let parts = entry.split(separator: " ")
        let country = Country(
            code: String(parts[1]),
            trunk: parts[2] == "-" ? nil : String(parts[2]),
            lengths: Set(parts[3].split(separator: ",").compactMap { Int($0) })
        )
        return (String(parts[0]), country)
    }
}

extension PhoneNumber: Codable {
    /// Reads the number from its text.
    ///
    /// - Throws: ``ParsingError`` for text that is no number; `DecodingError`.
    public init(from decoder: any Decoder) throws { try self.init(decoder.singleValueContainer().decode(String.self)) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
