internal import CountersignWire
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1

/// Bytes that the parser does not read as a request. The framework refuses them with an empty 400; this says why, in
/// the form of the protocols' errors.
///
/// Standard: RFC 9110 §15.5.1; RFC 6585 §5.
enum UnreadableRequest: Sendable, Equatable {
    case headTooLong, unknownMethod, unknownVersion, malformed

    /// The meaning of an error on a connection; `nil` unless it comes from the parser.
    init?(_ error: any Error) {
        guard let error = error as? HTTPParserError else { return nil }
        self =
            switch error {
            case .headerOverflow: .headTooLong
            case .invalidMethod: .unknownMethod
            case .invalidVersion: .unknownVersion
            default: .malformed
            }
    }

    private var status: HTTPResponse.Status {
        switch self {
        case .headTooLong: .requestHeaderFieldsTooLarge
        case .unknownMethod, .unknownVersion, .malformed: .badRequest
        }
    }

    private var text: String {
        switch self {
        case .headTooLong: "the request line or the header fields are too long"
        case .unknownMethod: "the method is unknown, or this is no request by HTTP/1.1"
        case .unknownVersion: "this server speaks HTTP/1.1 and HTTP/1.0"
        case .malformed: "the request is malformed"
        }
    }

    /// The answer in place of the framework's own; `nil` when `head` is another answer.
    func answer(replacing head: HTTPResponse) -> (head: HTTPResponse, body: ByteBuffer)? {
        guard head.status == .badRequest, head.headerFields[.contentLength] == "0" else { return nil }
        let error = OAuthError(.invalidRequest, text, because: "the parser: \(self)")
        var answer = JSONResponse(error, status: status)
        answer.headers[.contentLength] = "\(answer.body.readableBytes)"
        answer.headers[.connection] = "close"
        return (HTTPResponse(status: answer.status, headerFields: answer.headers), answer.body)
    }
}
