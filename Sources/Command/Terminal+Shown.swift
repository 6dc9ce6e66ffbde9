internal import Countersign
internal import Foundation

extension String {
    /// The text as a terminal may show it: with a mark in place of each character that is unsafe. Sanitizes untrusted
    /// text.
    var shown: String { markingUnsafe }
}

extension Terminal {
    /// Writes an event as a line of JSON.
    static func sayEvent(_ event: String, _ members: OutputMembers = [:]) {
        try? sayJSON(members.adding("event", event), inOneLine: true)
    }

    /// Writes a value as JSON, with terminal control characters escaped.
    static func sayJSON(_ value: some Encodable, inOneLine: Bool = false) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if !inOneLine { encoder.outputFormatting.insert(.prettyPrinted) }
        encoder.dateEncodingStrategy = .iso8601
        let text = String(decoding: try encoder.encode(value), as: UTF8.self)
        // Not as the locale shows it: a quotation mark would end a text of the JSON.
        StandardOutput.shared.put(
            text.unicodeScalars.reduce(into: "") { escaped, scalar in
                // Line breaks are the encoder's own.
                guard scalar != "\n", scalar.isUnsafeToShow else {
                    escaped.unicodeScalars.append(scalar)
                    return
                }
                for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
                    let digits = String(unit, radix: 16)
                    escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } + "\n")
    }
}
