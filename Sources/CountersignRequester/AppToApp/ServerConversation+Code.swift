internal import Countersign
internal import CountersignWire

extension ServerConversation {
    /// Redeems a code; sends it again only when it was certainly not redeemed, since a server ends what a code gave
    /// when it comes twice.
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
                try await send(request.form, to: server.token, within: options.timeLimit),
                lenient: lenient,
                problem: problem
            )
        } catch {
            switch error.code {
            case .notReached, .notTrusted, .cancelled: throw error.stepFailure
            case .interrupted, .timedOut: return .fault(because: error.description)
            case .tooLarge: return .unreadable(because: error.description)
            }
        }
        if case .busy(let retryAfter, let reason) = answer {
            throw .temporaryFailure(.busy, retryAfter: retryAfter, because: reason)
        }
        return answer
    }
}
