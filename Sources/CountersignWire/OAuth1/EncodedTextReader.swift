/// Reads percent-encoded text from one piece of memory, and writes it to another as OAuth 1 encodes it.
///
/// Each byte is read once. Text that is not UTF-8, or has a NUL in it, is refused.
/// Standard: RFC 5849 §3.4.1.3.1, §3.6.
struct EncodedTextReader {
    /// The rules for text at one place: the bytes that end it, and the bytes that it may have.
    struct Rules {
        /// The bytes before which the text ends.
        let ends: (UInt8, UInt8)
        /// Whether the text is of a form: then `+` is a space, and bytes may be left unescaped.
        let isForm: Bool

        /// A name in the header. Its rules leave no byte unescaped.
        static var headerName: Rules { Rules(ends: (UInt8(ascii: "="), UInt8(ascii: "=")), isForm: false) }
        /// A value in the header, behind its quote.
        static var headerValue: Rules { Rules(ends: (UInt8(ascii: "\""), UInt8(ascii: "\"")), isForm: false) }
        /// A name in a query or a form.
        static var formName: Rules { Rules(ends: (UInt8(ascii: "="), UInt8(ascii: "&")), isForm: true) }
        /// A value in a query or a form.
        static var formValue: Rules { Rules(ends: (UInt8(ascii: "&"), UInt8(ascii: "&")), isForm: true) }
    }

    let text: UnsafeBufferPointer<UInt8>
    /// The count of bytes that were read.
    var place = 0
    /// The destination: there must be room for three times the text if it is a form, and for the text otherwise.
    let written: UnsafeMutablePointer<UInt8>
    /// The count of bytes that were written.
    private(set) var end = 0

    /// Starts at the front of a text.
    init(_ text: UnsafeBufferPointer<UInt8>, writingTo written: UnsafeMutablePointer<UInt8>) {
        self.text = text
        self.written = written
    }

    /// Drops the output since the mark.
    mutating func drop(from start: Int) { end = start }

    /// Takes a byte from the front if it is this one.
    mutating func take(_ byte: UInt8) -> Bool {
        guard place < text.count, text[place] == byte else { return false }
        place += 1
        return true
    }

    /// Skips the white space of headers.
    mutating func skipSpace() {
        while place < text.count, text[place] == 0x20 || text[place] == 0x09 { place += 1 }
    }

    /// Reads up to a byte that ends the text, or to the end of all; `false` when a part of it cannot be read.
    mutating func read(_ rules: Rules) -> Bool {
        guard let source = text.baseAddress else { return true }
        let start = end
        var (place, end) = (self.place, self.end)
        defer { (self.place, self.end) = (place, end) }
        var seen: UInt8 = 0
        while place < text.count {
            // Most text is plain, and is copied in whole pieces.
            let first = place
            while place < text.count, OAuth1Encoding.isPlain(text[place]) { place &+= 1 }
            (written + end).initialize(from: source + first, count: place &- first)
            end &+= place &- first
            guard place < text.count else { break }
            let byte = text[place]
            if byte == rules.ends.0 || byte == rules.ends.1 { break }
            guard let value = value(of: byte, at: &place, rules) else { return false }
            seen |= value
            OAuth1Encoding.write(value, to: written, at: &end)
        }
        return seen < 0x80 || isUTF8(start..<end)
    }

    /// Returns the decoded value of a byte that is not plain, with the digits behind it if it begins an escape; `nil`
    /// when it is not allowed, for a broken escape, and for NUL.
    private func value(of byte: UInt8, at place: inout Int, _ rules: Rules) -> UInt8? {
        if byte == UInt8(ascii: "%") {
            guard place + 2 < text.count,
                let value = OAuth1Encoding.escaped(text[place + 1], text[place + 2]), value != 0
            else { return nil }
            place += 3
            return value
        }
        guard rules.isForm, byte > 0x20, byte < 0x7F else { return nil }
        place += 1
        return byte == UInt8(ascii: "+") ? 0x20 : byte
    }

    /// Whether a part of the output is UTF-8. (The initialiser that validates needs newer systems.)
    private func isUTF8(_ part: Range<Int>) -> Bool {
        let decoded = OAuth1Encoding.decode(UnsafeBufferPointer(start: written + part.lowerBound, count: part.count))
        return String(decoding: decoded, as: UTF8.self).utf8.elementsEqual(decoded)
    }
}
