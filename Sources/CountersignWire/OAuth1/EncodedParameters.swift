/// Parameters as they are signed: each name and each value percent-encoded by OAuth 1, all in one piece of memory.
///
/// The spelling of a parameter is normalized, so that equal parameters have equal bytes. Standard: RFC 5849 §3.4.1.3,
/// §3.6.
struct EncodedParameters: Sendable, Equatable {
    /// The position of a parameter's encoded name and value.
    struct Span: Sendable, Equatable {
        let start: Int
        /// The end of the name, and the beginning of the value.
        let middle: Int
        let end: Int
    }

    /// All names and values, one behind the other.
    let bytes: [UInt8]
    let places: [Span]

    /// No parameters.
    static let none = EncodedParameters(bytes: [], places: [])

    /// Takes over text that is encoded, and where its parameters lie.
    init(bytes: [UInt8], places: [Span]) {
        self.bytes = bytes
        self.places = places
    }

    /// Encodes parameters, in their order.
    init(_ parameters: [OAuth1Parameter]) {
        var bytes: [UInt8] = []
        places = parameters.map { parameter in
            let start = bytes.count
            OAuth1Encoding.append(parameter.name, to: &bytes)
            let middle = bytes.count
            OAuth1Encoding.append(parameter.value, to: &bytes)
            return Span(start: start, middle: middle, end: bytes.count)
        }
        self.bytes = bytes
    }

    /// Reads a query without its question mark, or the body of a form.
    ///
    /// - Throws: ``OAuth1Error`` `malformed` for what ``OAuth1Parameter/parse(_:)`` refuses.
    init(form text: ArraySlice<UInt8>) throws(OAuth1Error) {
        guard let read = text.withUnsafeBufferPointer({ Self.read(form: $0) }) else { throw Self.notEncoded }
        self = read
    }

    /// The refusal that ``init(form:)`` throws for a query or form.
    static var notEncoded: OAuth1Error {
        OAuth1Error(
            .malformed,
            because: "a query or form is not encoded as it must be, or has over \(OAuth1Parameter.most) parts")
    }

    /// Reads a query without its question mark, or the body of a form, where it lies; `nil` when it is refused.
    static func read(form text: UnsafeBufferPointer<UInt8>) -> EncodedParameters? {
        guard !text.isEmpty else { return EncodedParameters.none }
        var places: [Span] = []
        places.reserveCapacity(8)
        var isRead = false
        let bytes = [UInt8](unsafeUninitializedCapacity: 3 * text.count) { room, count in
            guard let start = room.baseAddress else { return }
            var reader = EncodedTextReader(text, writingTo: start)
            isRead = Self.readForm(&reader, into: &places)
            count = reader.end
        }
        return isRead ? EncodedParameters(bytes: bytes, places: places) : nil
    }

    private static func readForm(_ reader: inout EncodedTextReader, into places: inout [Span]) -> Bool {
        while reader.place < reader.text.count {
            if reader.take(UInt8(ascii: "&")) { continue }
            let start = reader.end
            guard places.count < OAuth1Parameter.most, reader.read(.formName) else { return false }
            let middle = reader.end
            if reader.take(UInt8(ascii: "=")) {
                guard reader.read(.formValue) else { return false }
            }
            places.append(Span(start: start, middle: middle, end: reader.end))
        }
        return true
    }

    var decoded: [OAuth1Parameter] {
        bytes.withUnsafeBufferPointer { bytes in
            places.map { place in
                OAuth1Parameter(
                    Self.text(of: UnsafeBufferPointer(rebasing: bytes[place.start..<place.middle])),
                    Self.text(of: UnsafeBufferPointer(rebasing: bytes[place.middle..<place.end])))
            }
        }
    }

    /// The value of a parameter, decoded.
    func value(at place: Span) -> String {
        bytes.withUnsafeBufferPointer { bytes in
            Self.text(of: UnsafeBufferPointer(rebasing: bytes[place.middle..<place.end]))
        }
    }

    /// The value of a parameter, decoded, as bytes.
    func valueBytes(at place: Span) -> [UInt8] {
        bytes.withUnsafeBufferPointer { bytes in
            OAuth1Encoding.decode(UnsafeBufferPointer(rebasing: bytes[place.middle..<place.end]))
        }
    }

    private static func text(of encoded: UnsafeBufferPointer<UInt8>) -> String {
        encoded.contains(UInt8(ascii: "%"))
            ? String(decoding: OAuth1Encoding.decode(encoded), as: UTF8.self)
            : String(decoding: encoded, as: UTF8.self)
    }
}
