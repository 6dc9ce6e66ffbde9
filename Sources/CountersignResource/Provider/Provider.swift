internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes

/// One endpoint of a provider, and how it is called.
struct Provider: Sendable {
    let endpoint: Endpoint
    let transport: any HTTPTransport
    let timeout: Duration

    /// Calls the endpoint, and returns its answer unless the status is an error.
    ///
    /// - Throws: ``TokenCheckError`` `unreachable` when no whole answer came, `busy` and `unreachable` by the status.
    func ask(
        _ method: HTTPRequest.Method,
        sending body: [UInt8] = [],
        fields: HTTPFields = [:]
    ) async throws(TokenCheckError) -> HTTPAnswer {
        var request = endpoint.request(method)
        for field in fields { request.headerFields[field.name] = field.value }
        let answer: HTTPAnswer
        do throws(TransportError) {
            answer = try await transport.send(request, body: body, within: timeout)
        } catch {
            throw TokenCheckError(.unreachable, because: "no answer: \(error)")
        }
        let code = answer.response.status.code
        switch code {
        case 408, 425, 429, 503:
            let after = RetryAfter(in: answer.response.headerFields)
            throw TokenCheckError(.busy, retryAfter: after?.seconds, because: "status \(code)")
        case 500...:
            throw TokenCheckError(.unreachable, because: "status \(code)")
        default:
            return answer
        }
    }
}

extension HTTPAnswer {
    /// Reads the body as a JSON message by the rule of ``ForeignMessage``, whatever media type it has.
    ///
    /// - Throws: ``TokenCheckError`` `bad_answer`. The body goes nowhere, not even to the log.
    func message<Message: Decodable>(_ message: Message.Type = Message.self) throws(TokenCheckError) -> Message {
        do {
            return try ForeignMessage.read(from: body)
        } catch {
            throw unexpected("a body that is no \(Message.self)")
        }
    }

    /// The failure for a provider that does not accept this service, with its error code.
    func notAccepted(_ word: String?) -> TokenCheckError {
        let word = word.flatMap { DeviceAuthorizationRequest.presentable($0) } ?? "nothing"
        return TokenCheckError(.notAccepted, because: "status \(response.status.code), the provider says \(word)")
    }

    /// The failure for an answer that no standard describes.
    func unexpected(_ what: String) -> TokenCheckError {
        TokenCheckError(.badAnswer, because: "status \(response.status.code), \(what)")
    }
}
