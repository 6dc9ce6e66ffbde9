package import Countersign
package import CountersignWire
package import FoundationEssentialsCompat
package import HTTPTypes
package import Hummingbird

extension JSONEncoder {
    /// Encodes messages; equal values give equal bytes.
    package static var wire: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

/// An encoded JSON answer, which the router sends as a ``Response`` and the fast path as it is.
package struct JSONResponse: Sendable {
    package let status: HTTPResponse.Status
    package var headers: HTTPFields
    package let body: ByteBuffer

    /// An answer that must not be stored, unless `headers` say otherwise.
    ///
    /// Standard: RFC 6749 §5.1.
    package init(_ bytes: [UInt8], status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) {
        self.status = status
        body = ByteBuffer(bytes: bytes)
        self.headers = headers
        self.headers[.contentType] = "application/json"
        self.headers[.xContentTypeOptions] = "nosniff"
        if headers[.cacheControl] == nil {
            self.headers[.cacheControl] = "no-store"
            self.headers[.pragma] = "no-cache"
        }
    }

    /// An answer with `message`, which can always be encoded.
    package init(holding message: some Encodable, status: HTTPResponse.Status, headers: HTTPFields) {
        self.init((try? JSONEncoder.wire.encode(message)).map { Array($0) } ?? [], status: status, headers: headers)
    }

    /// A public document that any cache may store for `seconds`, and the web pages of every site may read.
    package init(_ bytes: [UInt8], storedFor seconds: Int) {
        self.init(
            bytes,
            headers: [.cacheControl: "public, max-age=\(seconds)", .accessControlAllowOrigin: "*"]
        )
    }

    /// An error in the standard's form.
    ///
    /// - Parameters:
    ///   - number: The number that the screen has to show while its request is pending; `nil` for none.
    ///   - link: The newest mark of the link that the screen shows; `nil` for none.
    ///
    /// Standard: RFC 6749 §5.2; RFC 9110 §11.6.1 for the challenge of a 401.
    package init(
        _ error: OAuthError,
        showing number: VerificationNumber? = nil,
        link: LinkMark? = nil,
        status: HTTPResponse.Status? = nil,
        headers: HTTPFields = [:]
    ) {
        var headers = headers
        if error.code == .invalidClient { headers[.wwwAuthenticate] = "Basic realm=\"countersign\", charset=\"UTF-8\"" }
        if error.code == .temporarilyUnavailable, headers[.retryAfter] == nil {
            headers[.retryAfter] = "\(ServiceError.retryAfterSeconds)"
        }
        let bytes = CompactJSON.bytes(of: OAuthErrorResponse(error, showing: number, link: link))
        self.init(bytes, status: status ?? error.status, headers: headers)
    }

    /// The answer for the router.
    package var response: Response { Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body)) }
}

extension Response {
    /// A JSON answer that must not be cached.
    ///
    /// Standard: RFC 6749 §5.1.
    package static func json(bytes: [UInt8], status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
        JSONResponse(bytes, status: status, headers: headers).response
    }

    /// An answer with `message` as JSON.
    package static func json(_ message: some Encodable, headers: HTTPFields = [:]) throws -> Response {
        .json(bytes: Array(try JSONEncoder.wire.encode(message)), headers: headers)
    }

    /// An answer with a message that is sent often.
    package static func json(_ message: some CompactlyWritten, headers: HTTPFields = [:]) throws -> Response {
        .json(bytes: CompactJSON.bytes(of: message), headers: headers)
    }
}

extension OAuthError {
    /// A body is longer than any endpoint reads.
    package static let contentTooLarge = OAuthError(
        .invalidRequest,
        "the body is too long",
        because: "over \(Request.longestForm) bytes"
    )

    /// The status of an answer with this error.
    ///
    /// Standard: RFC 9110 §15.5.14 and RFC 9126 §2.3 for a body that is too long.
    package var status: HTTPResponse.Status {
        // Errors with the same code are equal.
        description == Self.contentTooLarge.description ? .contentTooLarge : code.status
    }
}

extension OAuthError.Code {
    /// The status of an answer with this error.
    ///
    /// Standard: RFC 6749 §5.2, RFC 6750 §3.1.
    package var status: HTTPResponse.Status {
        switch self {
        case .invalidClient, .invalidToken: .unauthorized
        case .insufficientScope: .forbidden
        case .serverError: .internalServerError
        case .temporarilyUnavailable: .serviceUnavailable
        default: .badRequest
        }
    }
}

extension HTTPField.Name {
    package static let pragma = HTTPField.Name("Pragma")!
    package static let prefer = HTTPField.Name("Prefer")!
    package static let preferenceApplied = HTTPField.Name("Preference-Applied")!
}
