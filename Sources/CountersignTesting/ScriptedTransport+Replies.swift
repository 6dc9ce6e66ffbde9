internal import CountersignRequester
public import CountersignWire
public import HTTPTypes
internal import FoundationEssentialsCompat

extension ScriptedTransport.Reply {
    /// An answer with a message as JSON.
    ///
    /// - Parameters:
    ///   - message: The content of the body, with sorted keys.
    ///   - status: The status; 200 by default.
    ///   - fields: Header fields in addition to `Content-Type`.
    /// - Returns: The reply.
    public static func json(
        _ message: some Encodable,
        status: HTTPResponse.Status = .ok,
        fields: HTTPFields = [:]
    ) -> Self {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let body = (try? encoder.encode(message)).map(Array.init) ?? []
        return text(String(decoding: body, as: UTF8.self), type: "application/json", status: status, fields: fields)
    }

    /// An answer with any text.
    ///
    /// - Parameters:
    ///   - text: The body.
    ///   - type: The `Content-Type`.
    ///   - status: The status; 200 by default.
    ///   - fields: Header fields in addition to `Content-Type`.
    /// - Returns: The reply.
    public static func text(
        _ text: String,
        type: String,
        status: HTTPResponse.Status = .ok,
        fields: HTTPFields = [:]
    ) -> Self {
        var fields = fields
        fields[.contentType] = type
        return .answer(HTTPAnswer(HTTPResponse(status: status, headerFields: fields), body: Array(text.utf8)))
    }

    /// An OAuth error, as an authorization server sends it.
    ///
    /// - Parameters:
    ///   - code: The code in `error`.
    ///   - fields: Further header fields; none by default.
    public static func error(_ code: OAuthError.Code, fields: HTTPFields = [:]) -> Self {
        json(OAuthErrorResponse(OAuthError(code, because: "scripted")), status: .badRequest, fields: fields)
    }

    /// An answer without a body.
    ///
    /// - Parameters:
    ///   - status: The status of the answer.
    ///   - fields: Its header fields; none by default.
    public static func status(_ status: HTTPResponse.Status, fields: HTTPFields = [:]) -> Self {
        .answer(HTTPAnswer(HTTPResponse(status: status, headerFields: fields)))
    }
}
