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
    public let query: [OAuth1Parameter]
    /// The parameters in the body; empty when it is no form.
    public let form: [OAuth1Parameter]

    /// Takes over the parts of a request.
    ///
    /// - Parameters:
    ///   - method: The method with which it is sent, in upper case when it is signed.
    ///   - address: The absolute http or https address, at most 8,192 bytes of ASCII; a fragment is not sent and not signed.
    ///   - form: The parameters in the body; none by default. A body that is no form is not signed.
    /// - Throws: ``OAuth1Refusal`` `malformed` for any other address, and for more than 512 parameters.
    public init(
        _ method: HTTPRequest.Method,
        _ address: String,
        form: [OAuth1Parameter] = []
    ) throws(OAuth1Refusal) {
        let bytes = Array(address.utf8)
        let whole = bytes.prefix { $0 != UInt8(ascii: "#") }
        let base = whole.prefix { $0 != UInt8(ascii: "?") }
        guard bytes.count <= Self.longestAddress, bytes.allSatisfy({ (0x21...0x7E).contains($0) }),
            let baseURI = Self.baseURI(base)
        else { throw OAuth1Refusal(.malformed, because: "the address is no absolute address of the web") }
        self.method = method
        self.baseURI = baseURI
        query = try OAuth1Parameter.parse(whole[base.endIndex...].dropFirst())
        self.form = form
        guard query.count + form.count <= OAuth1Parameter.most else {
            throw OAuth1Refusal(.malformed, because: "over \(OAuth1Parameter.most) parameters")
        }
    }

    /// Takes over a request with its body, as a server received it.
    ///
    /// - Parameters:
    ///   - method: The method with which it is sent, in upper case when it is signed.
    ///   - address: The absolute address: the scheme and host by which the client named the server.
    ///   - type: The `Content-Type`; `nil` when there is none.
    ///   - body: The whole body; it is read as a form only if its type says so.
    /// - Throws: ``OAuth1Refusal`` `malformed` for an address or a form that cannot be read.
    ///
    /// Standard: RFC 5849 §3.4.1.3.1.
    public init(
        _ method: HTTPRequest.Method,
        _ address: String,
        type: String?,
        body: [UInt8]
    ) throws(OAuth1Refusal) {
        let media = (type ?? "").prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
        let isForm = media == "application/x-www-form-urlencoded"
        try self.init(method, address, form: isForm ? try OAuth1Parameter.parse(body) : [])
    }

    /// Whether the address is https.
    public var isSecure: Bool { baseURI.hasPrefix("https://") }

    /// Standard: RFC 5849 §3.4.1.2. The path stays as it was written.
    private static func baseURI(_ bytes: ArraySlice<UInt8>) -> String? {
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
}
