internal import ArgumentParser
internal import Foundation

/// The form of an imported file.
enum ImportFormat: String, CaseIterable, Sendable, ExpressibleByArgument {
    case csv
    case jsonLines = "jsonl"
    /// The export of a realm, or its list of users.
    case keycloak
    /// The list of users that its API for administrators returns.
    case glewlwyd
    case ldif

    /// The unit by whose number a report names a person.
    var unit: ImportUnit {
        switch self {
        case .csv, .jsonLines, .ldif: .line
        case .keycloak, .glewlwyd: .entry
        }
    }

    /// Whether e-mail addresses of which the file does not say it are verified. In many directories people write their
    /// own.
    var vouchesForEmails: Bool {
        switch self {
        case .csv, .jsonLines: true
        case .keycloak, .glewlwyd, .ldif: false
        }
    }

    /// Detects the form of a file by its beginning.
    init(of bytes: [UInt8]) {
        var lines = ImportLines(bytes)
        guard let first = lines.next() else {
            self = .csv
            return
        }
        switch first.first {
        case UInt8(ascii: "["):
            self = Self.isOfKeycloak(bytes) ? .keycloak : .glewlwyd
        case UInt8(ascii: "{"):
            self = Self.isWholeRealm(first, before: lines.next()) ? .keycloak : .jsonLines
        default:
            var line: ArraySlice<UInt8>? = first
            while line?.first == UInt8(ascii: "#") { line = lines.next() }
            let beginning = String(decoding: line?.prefix(8) ?? [], as: UTF8.self).lowercased()
            self = beginning.hasPrefix("dn:") || beginning.hasPrefix("version:") ? .ldif : .csv
        }
    }

    /// The bytes of the longest line that can be one person.
    private static let longestPerson = 65_536

    /// Whether one object of JSON is the whole file, not each line.
    private static func isWholeRealm(_ first: ArraySlice<UInt8>, before second: ArraySlice<UInt8>?) -> Bool {
        guard first.count <= longestPerson else { return true }
        guard let object = (try? JSONSerialization.jsonObject(with: Data(first))) as? [String: Any] else {
            return second.map { $0.first != UInt8(ascii: "{") } ?? false
        }
        return ["users", "clients", "realm"].contains { object[$0] != nil }
    }

    private static func isOfKeycloak(_ bytes: [UInt8]) -> Bool {
        let beginning = String(decoding: bytes.prefix(4096), as: UTF8.self)
        return ["\"emailVerified\"", "\"createdTimestamp\""].contains { beginning.contains($0) }
    }
}

/// The unit by whose number a report names a person; its raw value is the noun in a sentence and in JSON.
enum ImportUnit: String, Sendable {
    case line, entry

    var plural: String {
        switch self {
        case .line: "lines"
        case .entry: "entries"
        }
    }

    /// The noun at the beginning of a sentence.
    var capitalized: String { rawValue.capitalized }
}

/// The lines of a file that are not blank, without white space around them.
private struct ImportLines: IteratorProtocol {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func next() -> ArraySlice<UInt8>? {
        rest = rest.drop(while: Self.isBlank)
        guard !rest.isEmpty else { return nil }
        let line = rest.prefix { $0 != 0x0A }
        rest = rest[line.endIndex...]
        return line.last == 0x0D ? line.dropLast() : line
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
