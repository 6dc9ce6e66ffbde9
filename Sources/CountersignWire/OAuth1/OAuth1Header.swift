/// The `Authorization` header of a request that is signed by OAuth 1.
///
/// ```swift
/// let header = try OAuth1Header(parsing: #"OAuth realm="Photos", oauth_consumer_key="dpf43f3p2l4k3l03""#)
/// ```
///
/// It is read strictly: each parameter is `name="value"` with names and values encoded, no name is repeated, and only
/// commas and white space separate them.
///
/// Standard: RFC 5849 §3.5.1; RFC 2617 §1.2.
public struct OAuth1Header: Sendable, Equatable {
    /// The longest header that is read, in bytes.
    static let longest = 8192
    /// The largest number of parameters that is read.
    static let most = 64

    /// The realm of the request, as the server named it; it is not signed. `nil` when it is omitted.
    public let realm: String?
    /// All other parameters, decoded, in their order.
    public var parameters: [OAuth1Parameter] { encoded.decoded }
    /// The same as they are signed.
    let encoded: EncodedParameters

    /// A header with these parameters.
    public init(realm: String? = nil, _ parameters: [OAuth1Parameter]) {
        self.realm = realm.map { realm in
            String(decoding: realm.utf8.filter { (0x20...0x7E).contains($0) }, as: UTF8.self)
        }
        encoded = EncodedParameters(parameters)
    }

    /// Whether the value of an `Authorization` header is of this scheme, whatever follows.
    ///
    /// - Parameter value: The value of the header.
    public static func isScheme(of value: String) -> Bool {
        var value = value
        return value.withUTF8(isScheme)
    }

    private static func isScheme(of text: UnsafeBufferPointer<UInt8>) -> Bool {
        let scheme: StaticString = "oauth"
        guard text.count >= scheme.utf8CodeUnitCount else { return false }
        for place in 0..<scheme.utf8CodeUnitCount where text[place] | 0x20 != scheme.utf8Start[place] { return false }
        return text.count == scheme.utf8CodeUnitCount || isSpace(text[scheme.utf8CodeUnitCount])
    }

    /// Reads the value of an `Authorization` header.
    ///
    /// - Parameter value: The whole value, with the scheme in any case.
    /// - Throws: ``OAuth1Error`` `malformed` for anything that does not follow the standard, a repeated name, more
    ///   than 64 parameters, or more than 8,192 bytes.
    public init(parsing value: String) throws(OAuth1Error) {
        var value = value
        var parts = Parts()
        let bytes = value.withUTF8 { text -> [UInt8]? in
            guard text.count <= Self.longest, Self.isScheme(of: text) else { return nil }
            return [UInt8](unsafeUninitializedCapacity: text.count) { room, count in
                guard let start = room.baseAddress else { return }
                var reader = EncodedTextReader(text, writingTo: start)
                reader.place = 5
                parts.read(&reader)
                count = reader.end
            }
        }
        guard let bytes else {
            throw OAuth1Error(.malformed, because: "the header is of another scheme, or too long")
        }
        if let fault = parts.fault { throw OAuth1Error(.malformed, because: fault.rawValue) }
        realm = parts.realm
        encoded = EncodedParameters(bytes: bytes, places: parts.places)
    }

    /// The value of the header.
    public var text: String {
        let realm = realm.map { text in
            #"realm=""# + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        }
        let others = parameters.map { "\(OAuth1Encoding.encode($0.name))=\"\(OAuth1Encoding.encode($0.value))\"" }
        return "OAuth " + ((realm.map { [$0] } ?? []) + others).joined(separator: ", ")
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
