internal import Countersign
internal import CountersignWire

extension ServerConversation {
    /// Redeems a code; sends it again only when it was certainly not redeemed, since a server ends what a code gave
    /// when it comes twice. A server that takes identifiers of requests repeats an answer that was lost.
    ///
    /// - Parameter lenient: Whether the provider is one whose answers have a token and nothing else.
    /// - Throws: ``StepFailure`` when the request may be repeated, or was cancelled.
    ///
    /// Standard: RFC 6749 §4.1.3, RFC 7636 §4.5.
    func redeem(_ code: RedeemableCode, lenient: Bool) async throws(StepFailure) -> CodeAnswer {
        let request = TokenRequest.authorizationCode(
            code.code,
            redirectURI: code.redirectURI,
            verifier: code.verifier
        )
        let answer: CodeAnswer
        do throws(TransportError) {
            answer = CodeAnswer(
                try await send(form(of: request), to: server.token, within: options.timeLimit),
                lenient: lenient,
                problem: problem
            )
        } catch {
            switch error.code {
            case .notReached, .notTrusted, .cancelled: throw error.stepFailure
            case .interrupted, .timedOut:
                guard !mayRepeat else { throw error.stepFailure }
                return .fault(because: error.description)
            case .tooLarge: return .unreadable(because: error.description)
            }
        }
        switch answer {
        case .busy(let retryAfter, let reason):
            throw .temporaryFailure(.busy, retryAfter: retryAfter, because: reason)
        case .fault(let reason) where mayRepeat:
            throw .temporaryFailure(.serverFault, retryAfter: nil, because: reason)
        case .tokens, .refused, .fault, .unreadable:
            return answer
        }
    }

    /// Whether the server repeats an answer that was lost.
    private var mayRepeat: Bool { server.takesRequestIDs && requestID != nil }
}
