extension OAuth1Header {
    /// The parts of a header that were read so far.
    ///
    /// Standard: RFC 5849 §3.5.1.
    struct Parts {
        /// The reason that a header is refused.
        enum Fault: String {
            case unnamed = "a parameter of the header has no name or no quoted value"
            case notEncoded = "a value in the header is not encoded, or does not end"
            case repeated = "a parameter of the header is repeated, or there are too many"
            case noComma = "there is no comma between two parameters of the header"
        }

        private(set) var realm: String?
        private(set) var places: [EncodedParameters.Span] = []
        private(set) var fault: Fault?

        /// Reads all parameters behind the scheme.
        mutating func read(_ reader: inout EncodedTextReader) {
            places.reserveCapacity(12)
            reader.skipSpace()
            while true {
                fault = readParameter(&reader)
                guard fault == nil else { return }
                reader.skipSpace()
                guard reader.place < reader.text.count else { return }
                guard reader.take(UInt8(ascii: ",")) else {
                    fault = .noComma
                    return
                }
                reader.skipSpace()
            }
        }

        private mutating func readParameter(_ reader: inout EncodedTextReader) -> Fault? {
            let start = reader.end
            guard reader.read(.headerName), reader.end > start, reader.take(UInt8(ascii: "=")),
                reader.take(UInt8(ascii: "\""))
            else { return .unnamed }
            let middle = reader.end
            if reader.isWritten("realm", from: start) {
                guard let value = reader.quotedString() else { return .notEncoded }
                guard realm == nil, places.count < OAuth1Header.most else { return .repeated }
                realm = value
                reader.drop(from: start)
                return nil
            }
            guard reader.read(.headerValue), reader.take(UInt8(ascii: "\"")) else { return .notEncoded }
            let isRepeated = places.contains { reader.isSame($0.start..<$0.middle, start..<middle) }
            guard !isRepeated, places.count < OAuth1Header.most else { return .repeated }
            places.append(EncodedParameters.Span(start: start, middle: middle, end: reader.end))
            return nil
        }
    }
}

extension EncodedTextReader {
    /// Whether the output since the mark is this text.
    fileprivate func isWritten(_ text: StaticString, from start: Int) -> Bool {
        guard text.utf8CodeUnitCount == end - start else { return false }
        for place in start..<end where text.utf8Start[place - start] != written[place] { return false }
        return true
    }

    /// Whether two parts of the output are equal.
    fileprivate func isSame(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        guard left.count == right.count else { return false }
        for place in 0..<left.count where written[left.lowerBound + place] != written[right.lowerBound + place] {
            return false
        }
        return true
    }

    /// Takes a quoted string of HTTP, and the quote behind it; `nil` when it has other characters or does not end.
    ///
    /// Standard: RFC 9110 §5.6.4.
    fileprivate mutating func quotedString() -> String? {
        var value: [UInt8] = []
        while place < text.count {
            var byte = text[place]
            place += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: value, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard place < text.count else { return nil }
                byte = text[place]
                place += 1
            }
            guard (0x20...0x7E).contains(byte) else { return nil }
            value.append(byte)
        }
        return nil
    }
}
