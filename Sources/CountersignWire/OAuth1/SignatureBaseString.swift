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
        self.init(of: request, header: EncodedParameters(header))
    }

    /// Builds the text for a request with the parameters of its header as they are encoded.
    init(of request: OAuth1Request, header: EncodedParameters) {
        var (method, baseURI) = (request.method.rawValue.uppercased(), request.baseURI)
        bytes = method.withUTF8 { method in
            baseURI.withUTF8 { baseURI in
                SortedParameters.with(header, request.encodedQuery, request.encodedForm) { parameters in
                    let room = 3 * (method.count + baseURI.count) + 2 + parameters.room
                    return [UInt8](unsafeUninitializedCapacity: room) { text, count in
                        guard let start = text.baseAddress else { return }
                        OAuth1Encoding.write(method, to: start, at: &count)
                        text[count] = UInt8(ascii: "&")
                        count += 1
                        OAuth1Encoding.write(baseURI, to: start, at: &count)
                        text[count] = UInt8(ascii: "&")
                        count += 1
                        parameters.write(to: start, at: &count)
                    }
                }
            }
        }
    }

    /// The text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
    /// The same as ``text``.
    public var description: String { text }
}
