internal import HTTPTypes

/// The text that a signature of OAuth 1 covers: method, address and all parameters, encoded twice.
///
/// People who debug a signature compare it with that of the other side; it holds no secret of its own, but whatever the
/// request says.
///
/// Standard: RFC 5849 §3.4.1.
public struct SignatureBaseString: Sendable, Equatable, CustomStringConvertible {
    /// The text as bytes of ASCII.
    let bytes: [UInt8]

    /// Builds the text for a request.
    ///
    /// - Parameters:
    ///   - request: Method, address and form.
    ///   - header: The parameters in the `Authorization` header, without `realm`. Wherever the signature itself stands, it
    ///     is left out.
    public init(of request: OAuth1Request, header: [OAuth1Parameter]) {
        let normalized = OAuth1Parameter.normalized([header, request.query, request.form], without: "oauth_signature")
        var bytes: [UInt8] = []
        bytes.reserveCapacity(request.baseURI.utf8.count + normalized.count * 3 / 2 + 32)
        OAuth1Encoding.append(request.method.rawValue.uppercased(), to: &bytes)
        bytes.append(UInt8(ascii: "&"))
        OAuth1Encoding.append(request.baseURI, to: &bytes)
        bytes.append(UInt8(ascii: "&"))
        OAuth1Encoding.append(normalized, to: &bytes)
        self.bytes = bytes
    }

    /// The text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
    /// The same as ``text``.
    public var description: String { text }
}
