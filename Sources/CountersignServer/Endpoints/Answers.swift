internal import Countersign
internal import CountersignWire
internal import Foundation
internal import HTTPTypes
internal import Hummingbird

extension JSONEncoder {
    /// Writes messages: the same value is always the same bytes.
    static var wire: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

extension Response {
    /// A JSON answer that must not be cached.
    ///
    /// Standard: RFC 6749 §5.1.
    static func json(bytes: [UInt8], status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
        let headers = fieldsOfJSON(headers)
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// `headers` with those of every answer that holds JSON.
    static func fieldsOfJSON(_ headers: HTTPFields) -> HTTPFields {
        var headers = headers
        headers[.contentType] = "application/json"
        headers[.xContentTypeOptions] = "nosniff"
        if headers[.cacheControl] == nil {
            headers[.cacheControl] = "no-store"
            headers[.pragma] = "no-cache"
        }
        return headers
    }

    /// An answer that holds `message` as JSON.
    static func json(_ message: some Encodable, headers: HTTPFields = [:]) throws -> Response {
        .json(bytes: Array(try JSONEncoder.wire.encode(message)), headers: headers)
    }

    /// The same for a message that is sent often.
    static func json(_ message: some CompactlyWritten, headers: HTTPFields = [:]) throws -> Response {
        .json(bytes: CompactJSON.bytes(of: message), headers: headers)
    }

    /// An error in the standard's form.
    ///
    /// Standard: RFC 6749 §5.2; RFC 9110 §11.6.1 for the challenge of a 401.
    static func oauth(_ error: OAuthError, headers: HTTPFields = [:]) throws -> Response {
        var headers = headers
        if error.code == .invalidClient { headers[.wwwAuthenticate] = "Basic realm=\"countersign\", charset=\"UTF-8\"" }
        if error.code == .temporarilyUnavailable, headers[.retryAfter] == nil {
            headers[.retryAfter] = "\(ServiceFailure.retryAfterSeconds)"
        }
        let bytes = CompactJSON.bytes(of: OAuthErrorResponse(error))
        return .json(bytes: bytes, status: error.code.status, headers: headers)
    }
}

extension Response {
    /// A service failure in the form of the protocols.
    static func oauth(_ failure: ServiceFailure) throws -> Response {
        switch failure {
        case .unavailable:
            try .oauth(
                OAuthError(.temporarilyUnavailable, "ask again in a moment", because: "the store cannot be used"))
        case .fault:
            try .oauth(OAuthError(.serverError, because: "an error that nobody expected"))
        }
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
