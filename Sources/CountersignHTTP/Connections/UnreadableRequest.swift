internal import CountersignWire
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1

/// Bytes that the parser refuses. The framework's answer is an empty 400; this one gives the reason, as an OAuth error.
///
/// Standard: RFC 9110 §15.5.1; RFC 6585 §5.
enum UnreadableRequest: Sendable, Equatable {
    case headTooLong, unknownMethod, unknownVersion, malformed

    /// Classifies an error on a connection; `nil` unless it comes from the parser.
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

    private var text: String {
        switch self {
        case .headTooLong: "the request line or the header fields are too long"
        case .unknownMethod: "the method is unknown, or this is no request by HTTP/1.1"
        case .unknownVersion: "this server speaks HTTP/1.1 and HTTP/1.0"
        case .malformed: "the request is malformed"
        }
    }

    /// The answer that replaces the framework's; `nil` when `head` is another answer.
    func answer(replacing head: HTTPResponse) -> (head: HTTPResponse, body: ByteBuffer)? {
        guard head.status == .badRequest, head.headerFields[.contentLength] == "0" else { return nil }
        let error = OAuthError(.invalidRequest, text, because: "the parser: \(self)")
        let status: HTTPResponse.Status = self == .headTooLong ? .requestHeaderFieldsTooLarge : .badRequest
        var answer = JSONResponse(error, status: status)
        answer.headers[.contentLength] = "\(answer.body.readableBytes)"
        answer.headers[.connection] = "close"
        return (HTTPResponse(status: answer.status, headerFields: answer.headers), answer.body)
    }
}
