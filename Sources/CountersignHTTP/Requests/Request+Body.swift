package import CountersignWire
internal import HTTPTypes
package import Hummingbird
package import NIOCore

extension Request {
    /// The longest form or JSON that an endpoint reads, in bytes.
    package static let longestForm = 65_536

    /// The form in the body.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` for another content type, a body that is too long or cannot be read.
    package func form() async throws -> Form {
        try Form(parsing: try await body(of: Form.mediaType))
    }

    /// Whether the body has this media type, given in lower case, whatever its parameters are.
    ///
    /// Standard: RFC 9110 §8.3.1, §5.6.6.
    package func hasBody(of type: String) -> Bool {
        let fields = headers[values: .contentType]
        guard fields.count == 1 else { return false }
        let named = fields[0].prefix { $0 != ";" }
        guard let end = named.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return false }
        return named[...end].lowercased() == type
    }

    /// The body, if it has the right type; at most ``longestForm`` bytes are read.
    ///
    /// - Throws: ``OAuthError`` `invalid_request`.
    package func body(of type: String) async throws -> ByteBufferView {
        guard hasBody(of: type) else {
            throw OAuthError(.invalidRequest, "the body must be \(type)", because: "another content type")
        }
        // Only the chunks are decoded: with another coding the body would still be compressed.
        guard headers[values: .transferEncoding].allSatisfy({ $0.lowercased() == "chunked" }) else {
            throw OAuthError(.invalidRequest, "the transfer coding is not known", because: "another transfer coding")
        }
        // Refused before it is read when `Content-Length` is too large: the client may be waiting to send it.
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > Self.longestForm {
            throw OAuthError.contentTooLarge
        }
        let body: ByteBuffer
        do {
            body = try await self.body.collect(upTo: Self.longestForm)
        } catch is NIOTooManyBytesError {
            throw OAuthError.contentTooLarge
        } catch {
            throw OAuthError(.invalidRequest, "the body broke off", because: "the body broke off: \(error)")
        }
        return body.readableBytesView
    }
}
