/// A distinguished name that was written as text, normalized for comparison.
///
/// Names of attribute types count without their case and are equal to their object identifiers; values count byte by
/// byte. Values in hexadecimal (`#04...`) are not accepted.
/// Standard: RFC 4514 §2, §3.
package struct DistinguishedNameText: Sendable, Hashable {
    /// One attribute, such as `CN=pay`.
    package struct Attribute: Sendable, Hashable, Comparable {
        /// The object identifier of its type in dotted form, such as `2.5.4.3`.
        package let type: String
        package let value: String

        /// Creates an attribute.
        package init(type: String, value: String) {
            self.type = type
            self.value = value
        }

        package static func < (left: Attribute, right: Attribute) -> Bool {
            (left.type, left.value) < (right.type, right.value)
        }
    }

    /// The most bytes that a name may have.
    package static let longest = 1024

    /// The relative names, the most significant one last, as in the text; the attributes of each are sorted.
    private let names: [[Attribute]]

    /// Creates a name from its parts.
    package init(_ names: [[Attribute]]) { self.names = names.map { $0.sorted() } }

    /// Reads a name.
    ///
    /// - Parameter text: A name by RFC 4514 with at least one attribute, at most 1,024 bytes; spaces around separators
    ///   are ignored. `nil` is returned for anything else.
    package init?(_ text: String) {
        guard (1...Self.longest).contains(text.utf8.count) else { return nil }
        var reader = Reader(rest: Array(text.utf8)[...])
        var names: [[Attribute]] = [[]]
        while true {
            guard let attribute = reader.attribute() else { return nil }
            names[names.count - 1].append(attribute)
            switch reader.rest.popFirst() {
            case nil:
                self.init(names)
                return
            case UInt8(ascii: ","): names.append([])
            case UInt8(ascii: "+"): continue
            default: return nil
            }
        }
    }

    /// The types that have a name, each with its object identifier. Standard: RFC 4514 §3; RFC 4519; RFC 2985.
    private static let types = [
        "cn": "2.5.4.3", "sn": "2.5.4.4", "serialnumber": "2.5.4.5", "c": "2.5.4.6", "l": "2.5.4.7", "st": "2.5.4.8",
        "street": "2.5.4.9", "o": "2.5.4.10", "ou": "2.5.4.11", "title": "2.5.4.12", "givenname": "2.5.4.42",
        "organizationidentifier": "2.5.4.97", "dc": "0.9.2342.19200300.100.1.25",
        "uid": "0.9.2342.19200300.100.1.1", "emailaddress": "1.2.840.113549.1.9.1", "e": "1.2.840.113549.1.9.1",
    ]

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func attribute() -> Attribute? {
            guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let name = Self.trimmed(rest[..<equals])
            guard let type = Self.type(String(decoding: name, as: UTF8.self).lowercased()) else { return nil }
            rest = rest[(equals + 1)...]
            guard let value = value(), !value.isEmpty else { return nil }
            return Attribute(type: type, value: value)
        }

        /// The value up to the next separator; spaces at its ends count only where they are escaped.
        private mutating func value() -> String? {
            rest = rest.drop { $0 == UInt8(ascii: " ") }
            guard rest.first != UInt8(ascii: "#") else { return nil }
            var bytes: [UInt8] = []
            /// The count of bytes that stay, whatever spaces follow.
            var kept = 0
            while let byte = rest.first, byte != UInt8(ascii: ","), byte != UInt8(ascii: "+") {
                rest.removeFirst()
                switch byte {
                case UInt8(ascii: "\\"):
                    guard let escaped = escaped() else { return nil }
                    bytes.append(escaped)
                    kept = bytes.count
                case UInt8(ascii: "\""), UInt8(ascii: ";"), UInt8(ascii: "<"), UInt8(ascii: ">"), 0: return nil
                default:
                    bytes.append(byte)
                    if byte != UInt8(ascii: " ") { kept = bytes.count }
                }
            }
            return String(validating: bytes[..<kept], as: UTF8.self)
        }

        private mutating func escaped() -> UInt8? {
            guard let byte = rest.popFirst() else { return nil }
            if " \"#+,;<=>\\".utf8.contains(byte) { return byte }
            guard let high = Self.digit(byte), let low = rest.popFirst().flatMap(Self.digit) else { return nil }
            return high << 4 | low
        }

        private static func digit(_ byte: UInt8) -> UInt8? {
            Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) }
        }

        private static func type(_ name: String) -> String? {
            if let type = types[name] { return type }
            let arcs = name.split(separator: ".", omittingEmptySubsequences: false)
            let isDotted =
                arcs.count > 1
                && arcs.allSatisfy { arc in
                    !arc.isEmpty && arc.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                        && (arc == "0" || arc.first != "0")
                }
            return isDotted ? name : nil
        }

        private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
            var bytes = bytes.drop { $0 == UInt8(ascii: " ") }
            while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
            return bytes
        }
    }
}
