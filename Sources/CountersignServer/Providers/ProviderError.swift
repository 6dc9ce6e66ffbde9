internal import Countersign
internal import CountersignTransport
internal import HTTPTypes

/// The reason why another provider could not be asked, or why its answer is not good.
///
/// The reason is for the log and for an operator, and holds nothing that was sent.
package struct ProviderError: CodedError, Sendable {
    /// The kinds of failure, each with its own words.
    package enum Code: Sendable, Hashable, CaseIterable {
        /// No answer came, or not in time.
        case unreachable
        /// The provider says that it cannot answer now, because of a fault or of too many requests.
        case busy
        /// The certificate of the provider is not trusted.
        case notTrusted
        /// The answer is not what the standard says.
        case badAnswer
        /// The metadata are those of another issuer.
        case anotherIssuer
        /// The metadata name a whole family of issuers in place of one.
        case template
        /// The provider does not offer what is needed.
        case notOffered
        /// The provider does not accept this server, or what it presented.
        case refused
        /// The ID token is not good.
        case token
    }

    package let code: Code
    package let reason: String

    package init(_ code: Code, because reason: String) {
        self.code = code
        self.reason = reason
    }

    init(_ error: TransportError) {
        switch error.code {
        case .notTrusted: self.init(.notTrusted, because: error.code.rawValue)
        case .tooLarge: self.init(.badAnswer, because: "the answer is too long")
        case .notReached, .interrupted, .timedOut, .cancelled: self.init(.unreachable, because: error.code.rawValue)
        }
    }

}

extension HTTPTransport {
    /// Sends a request to another provider, and returns the answer unless its status says that there is none.
    func ask(
        _ request: HTTPRequest,
        body: [UInt8] = [],
        within limit: Duration
    ) async throws(ProviderError) -> HTTPAnswer {
        let answer: HTTPAnswer
        do throws(TransportError) {
            answer = try await send(request, body: body, within: limit)
        } catch {
            throw ProviderError(error)
        }
        switch answer.response.status.code {
        case 408, 425, 429, 500...:
            throw ProviderError(.busy, because: "status \(answer.response.status.code)")
        default: return answer
        }
    }
}

extension HTTPAnswer {
    /// The body of an answer with status 200 as a JSON message.
    ///
    /// - Parameter otherMedia: Further media types for JSON at this provider, in small letters; none by default.
    func message<Message: Decodable>(
        _ what: String,
        as type: Message.Type,
        orAs otherMedia: Set<String> = []
    ) throws(ProviderError) -> Message {
        guard response.status == .ok else {
            throw ProviderError(.badAnswer, because: "status \(response.status.code) for \(what)")
        }
        do throws(UnreadableAnswerError) {
            return try decoded(type, orAs: otherMedia)
        } catch {
            throw ProviderError(.badAnswer, because: "\(what): \(error.reason)")
        }
    }
}
