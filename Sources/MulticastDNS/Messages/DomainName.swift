/// A DNS name: labels of 1 to 63 bytes each, 255 bytes in all; ASCII letters are compared without regard to case.
///
/// Standard: RFC 1035 §3.1 and §2.3.4, RFC 6762 §16 (labels are UTF-8, not normalized).
package struct DomainName: Hashable, Sendable {
    /// The wire format: each label after its length, and the closing zero.
    package let wire: [UInt8]
    /// The same in lower case, for comparison. Lengths are below 64, so they are not letters.
    private let folded: [UInt8]

    /// Creates a name from its wire format, which the caller has checked.
    init(wire: [UInt8]) {
        self.wire = wire
        // Most names are in lower case already: then both are one array.
        let isFolded = !wire.contains { (0x41...0x5A).contains($0) }
        folded = isFolded ? wire : wire.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    /// The name of these labels.
    ///
    /// - Throws: ``MessageError`` when one is empty or too long, or the name is too long.
    package init(labels: some Sequence<[UInt8]>) throws(MessageError) {
        var wire: [UInt8] = []
        for label in labels {
            guard (1...63).contains(label.count) else { throw .labelLength }
            wire.append(UInt8(label.count))
            wire += label
            guard wire.count < Self.longest else { throw .nameTooLong }
        }
        wire.append(0)
        self.init(wire: wire)
    }

    /// The name of these labels, as text; dots within one belong to it.
    package init(_ labels: String...) throws(MessageError) { try self.init(labels: labels.map { Array($0.utf8) }) }

    /// The longest name, its closing zero included.
    static let longest = 255

    /// The labels, without their lengths.
    package var labels: [[UInt8]] {
        var labels: [[UInt8]] = []
        var start = 0
        while wire[start] != 0 {
            let end = start + 1 + Int(wire[start])
            labels.append(Array(wire[(start + 1)..<end]))
            start = end
        }
        return labels
    }

    /// This name below `parent`.
    ///
    /// - Throws: ``MessageError`` when the result is too long.
    package func below(_ parent: DomainName) throws(MessageError) -> DomainName {
        guard wire.count + parent.wire.count - 1 <= Self.longest else { throw .nameTooLong }
        return DomainName(wire: wire.dropLast() + parent.wire)
    }

    /// The name without its first label; `nil` for the root.
    package var parent: DomainName? { wire[0] == 0 ? nil : DomainName(wire: Array(wire.dropFirst(1 + Int(wire[0])))) }

    /// Compares without regard to the case of ASCII letters.
    ///
    /// Standard: RFC 6762 §16.
    package static func == (left: DomainName, right: DomainName) -> Bool { left.folded == right.folded }

    /// Hashes the lower-case form, as `==` compares it.
    package func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}

extension DomainName: CustomStringConvertible {
    /// The name in the format of zone files: dots, backslashes and unprintable bytes within a label are escaped.
    package var description: String { labels.map(Self.written).joined(separator: ".") }

    /// A label as text, with a backslash before dots and before bytes that are not printable.
    private static func written(_ label: [UInt8]) -> String {
        var text = ""
        for scalar in String(decoding: label, as: UTF8.self).unicodeScalars {
            switch scalar {
            case ".", "\\": text += "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: text += "\\" + decimal(scalar.value)
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// A number in three decimal digits, as escapes of labels have them.
    ///
    /// - Parameter value: A number from 0 to 255.
    private static func decimal(_ value: UInt32) -> String {
        let digits = String(value)
        return String(repeating: "0", count: 3 - digits.count) + digits
    }
}
