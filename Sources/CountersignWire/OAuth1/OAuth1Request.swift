public import HTTPTypes

/// A request as OAuth 1 signs it: its method, its address, and its form if it has one.
///
/// ```swift
/// let request = try OAuth1Request(.get, "https://api.example.com/photos?size=original&file=vacation.jpg")
/// ```
///
/// Standard: RFC 5849 §3.4.1.
public struct OAuth1Request: Sendable, Equatable {
    /// The longest address that is read, in bytes.
    static let longestAddress = 8192

    /// The method.
    public let method: HTTPRequest.Method
    /// Scheme, host, port unless it is the usual one, and path: the address without its query.
    ///
    /// Standard: RFC 5849 §3.4.1.2.
    public let baseURI: String
    /// The parameters in the query.
    public var query: [OAuth1Parameter] { encodedQuery.decoded }
    /// The parameters in the body; empty when it is no form.
    public var form: [OAuth1Parameter] { encodedForm.decoded }
    /// The parameters in the query as they are signed.
    let encodedQuery: EncodedParameters
    /// The parameters in the body as they are signed.
    let encodedForm: EncodedParameters

    /// Takes over the parts of a request.
    ///
    /// - Parameters:
    ///   - method: The HTTP method, in upper case when it is signed.
    ///   - address: The absolute http or https address, at most 8,192 bytes of ASCII; a fragment is not sent and not
    ///     signed.
    ///   - form: The parameters in the body; none by default. A body that is no form is not signed.
    /// - Throws: ``OAuth1Error`` `malformed` for any other address, and for more than 512 parameters.
    public init(_ method: HTTPRequest.Method, _ address: String, form: [OAuth1Parameter] = []) throws(OAuth1Error) {
        try self.init(method, address, encoded: form.isEmpty ? .none : EncodedParameters(form))
    }

    private init(
        _ method: HTTPRequest.Method,
        _ address: String,
        encoded form: EncodedParameters
    ) throws(OAuth1Error) {
        var address = address
        let parts = address.withUTF8(Self.parts)
        guard let parts else {
            throw OAuth1Error(.malformed, because: "the address is no absolute address of the web")
        }
        let query = address.withUTF8 { EncodedParameters.read(form: UnsafeBufferPointer(rebasing: $0[parts.query])) }
        guard let query else { throw EncodedParameters.notEncoded }
        guard query.places.count + form.places.count <= OAuth1Parameter.most else {
            throw OAuth1Error(.malformed, because: "over \(OAuth1Parameter.most) parameters")
        }
        self.method = method
        baseURI = parts.baseURI
        encodedQuery = query
        encodedForm = form
    }

    /// Takes over a request with its body, as a server received it.
    ///
    /// - Parameters:
    ///   - method: The HTTP method, in upper case when it is signed.
    ///   - address: The absolute address, with the scheme and host that the client used for the server.
    ///   - type: The `Content-Type`; `nil` when there is none.
    ///   - body: The whole body; it is read as a form only if its type says so.
    /// - Throws: ``OAuth1Error`` `malformed` for an address or a form that cannot be read.
    ///
    /// Standard: RFC 5849 §3.4.1.3.1.
    public init(_ method: HTTPRequest.Method, _ address: String, type: String?, body: [UInt8]) throws(OAuth1Error) {
        let media = (type ?? "").prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
        let isForm = media == Form.mediaType
        try self.init(method, address, encoded: isForm ? try EncodedParameters(form: body[...]) : .none)
    }

    /// Whether the address is https.
    public var isSecure: Bool { baseURI.hasPrefix("https://") }

    /// The address without its query, and where the query lies; `nil` for an invalid address.
    private static func parts(of address: UnsafeBufferPointer<UInt8>) -> (baseURI: String, query: Range<Int>)? {
        guard address.count <= longestAddress else { return nil }
        var (question, hash) = (address.count, address.count)
        for (place, byte) in address.enumerated() {
            guard byte > 0x20, byte < 0x7F else { return nil }
            if byte == UInt8(ascii: "#") { hash = min(hash, place) }
            if byte == UInt8(ascii: "?") { question = min(question, place) }
        }
        question = min(question, hash)
        guard let baseURI = baseURI(UnsafeBufferPointer(rebasing: address[..<question])) else { return nil }
        return (baseURI, question == hash ? hash..<hash : (question + 1)..<hash)
    }

    /// Standard: RFC 5849 §3.4.1.2. The path stays as it was written.
    private static func baseURI(_ text: UnsafeBufferPointer<UInt8>) -> String? {
        // Most addresses are written as they are signed.
        if isWrittenAsSigned(text) { return String(decoding: text, as: UTF8.self) }
        let bytes = Array(text)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        let rest = bytes[(colon + 1)...]
        guard scheme == "https" || scheme == "http", rest.starts(with: "//".utf8) else { return nil }
        let named = rest.dropFirst(2)
        let slash = named.firstIndex(of: UInt8(ascii: "/")) ?? named.endIndex
        guard let authority = DPoPTarget.authority(named[..<slash], usualPort: scheme == "https" ? 443 : 80)
        else { return nil }
        let path = slash == named.endIndex ? "/" : String(decoding: named[slash...], as: UTF8.self)
        return "\(scheme)://\(authority)\(path)"
    }

    /// Whether an address has a scheme and a name in lower case, no port, and a path.
    private static func isWrittenAsSigned(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let schemes: (StaticString, StaticString) = ("https://", "http://")
        let name = starts(text, schemes.0) ? 8 : starts(text, schemes.1) ? 7 : text.count
        var place = name
        while place < text.count, text[place] != UInt8(ascii: "/") {
            let byte = text[place]
            let isPlain = byte >= 0x61 && byte <= 0x7A || byte >= 0x30 && byte <= 0x39 || byte == 0x2D || byte == 0x2E
            guard isPlain else { return false }
            place += 1
        }
        return place > name && place < text.count
    }

    private static func starts(_ text: UnsafeBufferPointer<UInt8>, _ start: StaticString) -> Bool {
        guard text.count >= start.utf8CodeUnitCount else { return false }
        for place in 0..<start.utf8CodeUnitCount where text[place] != start.utf8Start[place] { return false }
        return true
    }
}
