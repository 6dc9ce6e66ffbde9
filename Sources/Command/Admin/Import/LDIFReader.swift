internal import Countersign
internal import Foundation

/// Reads the entries of an LDIF file one after the other.
///
/// Standard: RFC 2849. Lines may end with LF alone.
struct LDIFReader {
    struct Entry {
        /// The number of the entry's first line, from 1.
        let line: Int
        let attributes: Result<[Attribute], ImportLineError>
    }

    struct Attribute: Equatable {
        /// The name in lower case, with its options, as in `cn;lang-de`.
        let name: String
        let value: Value
    }

    /// A value as it is written.
    enum Value: Equatable {
        case text([UInt8])
        case base64([UInt8])
        /// The address of a file with the value, which is not opened.
        case address

        /// The text; `nil` for what is no text in UTF-8.
        var text: String? {
            let bytes: [UInt8]
            switch self {
            case .text(let written): bytes = written
            case .base64(let written):
                guard let data = Data(base64Encoded: Data(written)) else { return nil }
                bytes = Array(data)
            case .address: return nil
            }
            return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
        }
    }

    private let bytes: [UInt8]
    private var place = 0
    private var line = 0

    private static let space = UInt8(ascii: " ")
    private static let colon = UInt8(ascii: ":")
    private static let lineFeed = UInt8(ascii: "\n")

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next entry; `nil` at the end.
    mutating func next() -> Entry? {
        while place < bytes.count {
            var lines: [[UInt8]] = []
            var first: Int?
            while let physical = nextLine(), !physical.isEmpty {
                if physical.first == Self.space, let last = lines.indices.last {
                    lines[last] += physical.dropFirst()
                } else {
                    lines.append(Array(physical))
                    if physical.first != UInt8(ascii: "#") { first = first ?? line }
                }
            }
            lines.removeAll { $0.first == UInt8(ascii: "#") }
            if lines.first?.isNamed("version") == true { lines.removeFirst() }
            guard !lines.isEmpty, let first else { continue }
            return Entry(line: first, attributes: Result { () throws(ImportLineError) in try Self.attributes(lines) })
        }
        return nil
    }

    /// The next line without its end; `nil` at the end of the file.
    private mutating func nextLine() -> ArraySlice<UInt8>? {
        guard place < bytes.count else { return nil }
        let written = bytes[place...].prefix { $0 != Self.lineFeed }
        place = min(written.endIndex + 1, bytes.count)
        line += 1
        return written.last == UInt8(ascii: "\r") ? written.dropLast() : written
    }

    private static func attributes(_ lines: [[UInt8]]) throws(ImportLineError) -> [Attribute] {
        var attributes: [Attribute] = []
        for line in lines { attributes.append(try attribute(line)) }
        guard attributes.first?.name == "dn" else { throw ImportLineError("An entry begins with dn.") }
        if attributes.contains(where: { $0.name == "control" || ($0.name == "changetype" && $0.value.text != "add") }) {
            throw ImportLineError("It changes an entry: only whole entries are read.")
        }
        return attributes
    }

    private static func attribute(_ line: [UInt8]) throws(ImportLineError) -> Attribute {
        guard let end = line.firstIndex(of: colon), end > 0,
            let name = String(validating: line[..<end], as: UTF8.self), name.isPlainName(upTo: 255, with: ".-;_")
        else { throw ImportLineError("It has a line without a name and a colon.") }
        let rest = line[(end + 1)...]
        let kind = rest.first
        let written = (kind == colon || kind == UInt8(ascii: "<") ? rest.dropFirst() : rest).drop { $0 == space }
        return switch kind {
        case colon: Attribute(name: name.lowercased(), value: .base64(Array(written)))
        case UInt8(ascii: "<"): Attribute(name: name.lowercased(), value: .address)
        default: Attribute(name: name.lowercased(), value: .text(Array(written)))
        }
    }
}

extension [UInt8] {
    fileprivate func isNamed(_ name: String) -> Bool {
        String(decoding: prefix(name.utf8.count + 1), as: UTF8.self).lowercased() == "\(name):"
    }
}
