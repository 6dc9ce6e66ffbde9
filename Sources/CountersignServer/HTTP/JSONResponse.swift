internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension JSONEncoder {
    /// Encodes messages; equal values give equal bytes.
    static var wire: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

/// An encoded JSON answer. The router writes it as a ``Response``, the fast path writes it as it is.
struct JSONResponse: Sendable {
    let status: HTTPResponse.Status
    var headers: HTTPFields
    let body: ByteBuffer

    /// An answer that must not be stored, unless `headers` say otherwise.
    ///
    /// Standard: RFC 6749 §5.1.
    init(_ bytes: [UInt8], status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) {
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

    /// An answer that holds `message`, which can always be encoded.
    init(holding message: some Encodable, status: HTTPResponse.Status, headers: HTTPFields) {
        self.init((try? JSONEncoder.wire.encode(message)).map { Array($0) } ?? [], status: status, headers: headers)
    }

    /// A public document that any cache may store for `seconds`, and the web pages of every site may read.
    init(_ bytes: [UInt8], storedFor seconds: Int) {
        self.init(
            bytes,
            headers: [.cacheControl: "public, max-age=\(seconds)", .accessControlAllowOrigin: "*"]
        )
    }

    /// An error in the standard's form.
    ///
    /// - Parameter number: The number that the screen has to show while its request is pending; `nil` for none.
    ///
    /// Standard: RFC 6749 §5.2; RFC 9110 §11.6.1 for the challenge of a 401.
    init(
        _ error: OAuthError,
        showing screen: PendingScreen = PendingScreen(),
        status: HTTPResponse.Status? = nil,
        headers: HTTPFields = [:]
    ) {
        var headers = headers
        if error.code == .invalidClient { headers[.wwwAuthenticate] = "Basic realm=\"countersign\", charset=\"UTF-8\"" }
        if error.code == .temporarilyUnavailable, headers[.retryAfter] == nil {
            headers[.retryAfter] = "\(ServiceError.retryAfterSeconds)"
        }
        let bytes = CompactJSON.bytes(of: OAuthErrorResponse(error, showing: screen.number, link: screen.link))
        self.init(bytes, status: status ?? error.status, headers: headers)
    }

    /// The same for the router.
    var response: Response { Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body)) }
}

extension Response {
    /// A JSON answer that must not be cached.
    ///
    /// Standard: RFC 6749 §5.1.
    static func json(bytes: [UInt8], status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
        JSONResponse(bytes, status: status, headers: headers).response
    }

    /// An answer that holds `message` as JSON.
    static func json(_ message: some Encodable, headers: HTTPFields = [:]) throws -> Response {
        .json(bytes: Array(try JSONEncoder.wire.encode(message)), headers: headers)
    }

    /// The same for a message that is sent often.
    static func json(_ message: some CompactlyWritten, headers: HTTPFields = [:]) throws -> Response {
        .json(bytes: CompactJSON.bytes(of: message), headers: headers)
    }
}

extension OAuthError {
    /// A body is longer than any endpoint reads.
    static let contentTooLarge = OAuthError(
        .invalidRequest,
        "the body is too long",
        because: "over \(Request.longestForm) bytes"
    )

    /// The status of an answer with this error.
    ///
    /// Standard: RFC 9110 §15.5.14 and RFC 9126 §2.3 for a body that is too long.
    var status: HTTPResponse.Status {
        // Errors are equal that have the same code.
        description == Self.contentTooLarge.description ? .contentTooLarge : code.status
    }
}

extension OAuthError.Code {
    /// The status of an answer with this error.
    ///
    /// Standard: RFC 6749 §5.2, RFC 6750 §3.1.
    var status: HTTPResponse.Status {
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
    static let pragma = HTTPField.Name("Pragma")!
    static let prefer = HTTPField.Name("Prefer")!
    static let preferenceApplied = HTTPField.Name("Preference-Applied")!
}
