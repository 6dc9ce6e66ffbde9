internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// An answer that is ready to be written: the same, byte for byte, as the endpoint would give.
struct FastPathAnswer: Sendable {
    var head: HTTPResponse
    let body: ByteBuffer

    /// JSON that nobody may keep.
    ///
    /// Standard: RFC 6749 §5.1.
    static func json(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> FastPathAnswer {
        FastPathAnswer(bytes, status: status, fields: unkept)
    }

    /// JSON that anybody may keep for so many seconds.
    static func json(_ bytes: [UInt8], keptFor seconds: Int) -> FastPathAnswer {
        FastPathAnswer(bytes, status: .ok, fields: Response.fieldsOfJSON([.cacheControl: "public, max-age=\(seconds)"]))
    }

    private static let unkept = Response.fieldsOfJSON([:])

    private init(_ bytes: [UInt8], status: HTTPResponse.Status, fields: HTTPFields) {
        body = ByteBuffer(bytes: bytes)
        var fields = fields
        fields.append(HTTPField(name: .contentLength, value: String(bytes.count)))
        head = HTTPResponse(status: status, headerFields: fields)
    }
}
