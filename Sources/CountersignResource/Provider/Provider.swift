internal import Countersign
internal import CountersignWire
internal import HTTPTypes
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One endpoint of a provider, and how it is asked.
struct Provider: Sendable {
    let endpoint: Endpoint
    let transport: any ProviderTransport
    let patience: Duration

    /// Asks, and gives the answer whatever its status, unless that says that there is none.
    ///
    /// - Throws: ``CheckFailure`` `unreachable` when no whole answer came, `busy` and `unreachable` by the status.
    func ask(
        _ method: HTTPRequest.Method,
        sending body: [UInt8] = [],
        fields: HTTPFields = [:]
    ) async throws(CheckFailure) -> ProviderAnswer {
        var request = endpoint.request(method)
        for field in fields { request.headerFields[field.name] = field.value }
        let answer: ProviderAnswer
        do {
            answer = try await transport.send(request, body: body, within: patience)
        } catch {
            throw CheckFailure(.unreachable, because: "no answer: \(error)")
        }
        let code = answer.response.status.code
        switch code {
        case 408, 425, 429, 503:
            let after = answer.response.headerFields[.retryAfter].flatMap(RetryAfter.init(parsing:))
            throw CheckFailure(.busy, retryAfter: after?.seconds, because: "status \(code)")
        case 500...:
            throw CheckFailure(.unreachable, because: "status \(code)")
        default:
            return answer
        }
    }
}

extension ProviderAnswer {
    /// Reads the body as a JSON message.
    ///
    /// - Throws: ``CheckFailure`` `bad_answer`. The body goes nowhere, not even to the log.
    func decoded<Message: Decodable>(_ message: Message.Type = Message.self) throws(CheckFailure) -> Message {
        do {
            return try JSONDecoder().decode(Message.self, from: Data(body))
        } catch {
            throw unexpected("a body that is no \(Message.self)")
        }
    }

    /// A failure that tells that the provider wants nothing of this service, and by which word.
    func notAccepted(_ word: String?) -> CheckFailure {
        let word = word.flatMap { DeviceAuthorizationRequest.presentable($0) } ?? "nothing"
        return CheckFailure(.notAccepted, because: "status \(response.status.code), the provider says \(word)")
    }

    /// A failure that tells of this answer.
    func unexpected(_ what: String) -> CheckFailure {
        CheckFailure(.badAnswer, because: "status \(response.status.code), \(what)")
    }
}
