internal import Countersign
internal import CountersignWire
internal import HTTPTypes

extension ServerConversation {
    /// Redeems a code; sends it again only when it was certainly not redeemed, since a server ends what a code gave
    /// when it comes twice. A server that takes identifiers of requests repeats an answer that was lost.
    ///
    /// - Parameter lenient: Whether the provider is one whose answers have a token and nothing else.
    /// - Returns: The tokens, or the provider's refusal.
    /// - Throws: ``StepError``, also when the answer makes no sense.
    ///
    /// Standard: RFC 6749 §4.1.3, RFC 7636 §4.5.
    func redeem(_ code: RedeemableCode, lenient: Bool) async throws(StepError) -> Result<TokenResponse, OAuthError> {
        let request = TokenRequest.authorizationCode(code.code, redirectURI: code.redirectURI, verifier: code.verifier)
        let answer: HTTPAnswer
        do throws(TransportError) {
            answer = try await send(form(of: request), to: server.token, within: options.timeLimit)
        } catch {
            switch error.code {
            case .interrupted, .timedOut: throw mayRepeat ? error.stepFailure : lost(because: error.description)
            case .notReached, .notTrusted, .cancelled, .tooLarge: throw error.stepFailure
            }
        }
        return try read(answer, lenient: lenient)
    }

    /// Reads the answer to a code. An error in JSON counts whatever the status; a page in HTML never does.
    ///
    /// Standard: RFC 6749 §5.1, §5.2.
    private func read(_ answer: HTTPAnswer, lenient: Bool) throws(StepError) -> Result<TokenResponse, OAuthError> {
        let status = "status \(answer.response.status.code)"
        if let refusal = try? answer.decoded(OAuthErrorResponse.self) {
            let error = OAuthError(saying: refusal.error.rawValue, refusal.description)
            switch refusal.error {
            case .slowDown:
                throw .tooFast(SignInError(.tooFast, because: error.reason), retryIn: answer.retryAfter)
            case .temporarilyUnavailable:
                throw .temporaryFailure(.busy, retryAfter: answer.retryAfter, because: error.reason)
            case .serverError: throw lost(because: error.reason)
            default: return .failure(error)
            }
        }
        switch answer.temporaryFailure {
        case .busy: try answer.refuseTemporaryFailure()
        case .notReachable, .notTrusted, .interrupted, .serverFault: throw lost(because: status)
        case nil: break
        }
        guard answer.response.status == .ok else { throw .unreadable(because: status) }
        let response: TokenResponse
        do throws(UnreadableAnswerError) {
            response = try tokens(in: answer, lenient: lenient)
        } catch {
            throw .unreadable(because: error.reason)
        }
        if let problem = problem(response) { throw .unreadable(because: problem) }
        return .success(response)
    }

    /// A whole answer, or a token and nothing else where that is enough.
    private func tokens(in answer: HTTPAnswer, lenient: Bool) throws(UnreadableAnswerError) -> TokenResponse {
        do throws(UnreadableAnswerError) {
            return try answer.decoded(TokenResponse.self)
        } catch {
            guard lenient, let bare = try? answer.decoded(BareToken.self) else { throw error }
            return TokenResponse(accessToken: AccessToken(revealing: bare.accessToken), expiresIn: nil)
        }
    }

    /// The failure of a request that may have redeemed the code.
    private func lost(because reason: String) -> StepError {
        mayRepeat
            ? .temporaryFailure(.serverFault, retryAfter: nil, because: reason)
            : .final(SignInError(.serverFailure, because: reason))
    }

    /// Whether the server repeats an answer that was lost.
    private var mayRepeat: Bool { server.takesRequestIDs && requestID != nil }
}

/// The answer of a provider with only a token.
private struct BareToken: Decodable {
    let accessToken: String

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
    }
}
