/// The parameters of a request in the order of signing: by encoded name, and then by encoded value.
///
/// Standard: RFC 5849 §3.4.1.3.2.
struct SortedParameters {
    /// An encoded parameter.
    private struct Entry {
        let name: UnsafeBufferPointer<UInt8>
        let value: UnsafeBufferPointer<UInt8>
        /// The first eight bytes of the name, which differ in most names, as a number that has the order of the bytes.
        let key: UInt64
    }

    private let entries: [Entry]
    /// The maximum number of bytes that ``write(to:at:)`` needs.
    let room: Int

    /// Calls `body` with the parameters of three places in order, all but the signature.
    static func with<Result>(
        _ first: EncodedParameters,
        _ second: EncodedParameters,
        _ third: EncodedParameters,
        _ body: (SortedParameters) -> Result
    ) -> Result {
        first.bytes.withUnsafeBufferPointer { firstBytes in
            second.bytes.withUnsafeBufferPointer { secondBytes in
                third.bytes.withUnsafeBufferPointer { thirdBytes in
                    var entries: [Entry] = []
                    entries.reserveCapacity(first.places.count + second.places.count + third.places.count)
                    collect(first.places, of: firstBytes, in: &entries)
                    collect(second.places, of: secondBytes, in: &entries)
                    collect(third.places, of: thirdBytes, in: &entries)
                    entries.sort(by: precedes)
                    return body(SortedParameters(entries))
                }
            }
        }
    }

    private init(_ entries: [Entry]) {
        self.entries = entries
        var room = 0
        // Encoding again lengthens the percent signs only, which are a third of encoded text at most.
        for entry in entries { room += (entry.name.count + entry.value.count) * 5 / 3 + 6 }
        self.room = room
    }

    private static func collect(
        _ places: [EncodedParameters.Span],
        of bytes: UnsafeBufferPointer<UInt8>,
        in entries: inout [Entry]
    ) {
        for place in places {
            let name = UnsafeBufferPointer(rebasing: bytes[place.start..<place.middle])
            if ProtocolParameter.signature.isName(name) { continue }
            let value = UnsafeBufferPointer(rebasing: bytes[place.middle..<place.end])
            entries.append(Entry(name: name, value: value, key: key(of: name)))
        }
    }

    /// The first eight bytes of a name, and zeros for those that are missing: no encoded name has a zero.
    private static func key(of name: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var key: UInt64 = 0
        for place in 0..<8 { key = key << 8 | (place < name.count ? UInt64(name[place]) : 0) }
        return key
    }

    private static func precedes(_ left: Entry, _ right: Entry) -> Bool {
        if left.key != right.key { return left.key < right.key }
        let names = order(left.name, right.name)
        return names == 0 ? order(left.value, right.value) < 0 : names < 0
    }

    /// Less than zero, zero or more, as the left bytes come before, are the same or come behind.
    private static func order(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
        for place in 0..<min(left.count, right.count) where left[place] != right[place] {
            return Int(left[place]) - Int(right[place])
        }
        return left.count - right.count
    }

    /// Writes the parameters as a part of a base string: with `=` and `&` between them, encoded once more.
    func write(to text: UnsafeMutablePointer<UInt8>, at end: inout Int) {
        var isFirst = true
        for entry in entries {
            if !isFirst { OAuth1Encoding.write(UInt8(ascii: "&"), to: text, at: &end) }
            isFirst = false
            OAuth1Encoding.write(entry.name, to: text, at: &end)
            OAuth1Encoding.write(UInt8(ascii: "="), to: text, at: &end)
            OAuth1Encoding.write(entry.value, to: text, at: &end)
        }
    }
}
