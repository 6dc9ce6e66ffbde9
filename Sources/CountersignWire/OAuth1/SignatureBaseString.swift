internal import HTTPTypes

/// The text that a signature of OAuth 1 covers: method, address and all parameters, encoded twice.
///
/// People who debug a signature compare it with that of the other side; it adds no secret to the content of the
/// request.
///
/// Standard: RFC 5849 §3.4.1.
package struct SignatureBaseString: Sendable, Equatable, CustomStringConvertible {
    /// The text as bytes of ASCII.
    let bytes: [UInt8]

    /// Builds the text for a request.
    ///
    /// - Parameter header: The parameters in the `Authorization` header, without `realm`. The signature itself is
    ///   omitted from every place.
    package init(of request: OAuth1Request, header: [OAuth1Parameter]) {
        self = request.baseString(with: EncodedParameters(header))
    }

    fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var text: String { String(decoding: bytes, as: UTF8.self) }
    /// The same as ``text``.
    package var description: String { text }
}

extension OAuth1Request {
    /// The text that a signature covers, with the parameters of the header as they are encoded.
    func baseString(with header: EncodedParameters) -> SignatureBaseString {
        var (method, baseURI) = (method.rawValue.uppercased(), baseURI)
        let bytes = method.withUTF8 { method in
            baseURI.withUTF8 { baseURI in
                SortedParameters.with(header, encodedQuery, encodedForm) { parameters in
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
        return SignatureBaseString(bytes)
    }
}
