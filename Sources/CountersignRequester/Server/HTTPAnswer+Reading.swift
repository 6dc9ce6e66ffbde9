internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes

/// The reason that a step failed.
enum StepError: Error, Sendable {
    /// Another attempt may succeed.
    case temporaryFailure(TemporaryFailure, retryAfter: RetryAfter?, because: String)
    /// A later attempt may succeed; this is the error if none does.
    case tooFast(SignInError, retryIn: RetryAfter?)
    /// Another attempt cannot succeed.
    case final(SignInError)

    /// An answer that makes no sense.
    static func unreadable(because reason: String) -> Self { .final(SignInError(.badAnswer, because: reason)) }
}

extension HTTPAnswer {
    /// The temporary failure of the status; `nil` for an answer to take literally.
    var temporaryFailure: TemporaryFailure? {
        switch response.status.code {
        case 408, 425, 429, 503: .busy
        case 502, 504: .interrupted
        case 500...: .serverFault
        default: nil
        }
    }

    /// The time that the server asks the client to wait.
    var retryAfter: RetryAfter? {
        RetryAfter(in: response.headerFields)
    }

    /// Refuses an answer whose status is a temporary failure.
    func refuseTemporaryFailure() throws(StepError) {
        if let stepFailure { throw stepFailure }
    }

    /// The temporary failure of the status as that of a step; a rate limit is told apart from a server that is away.
    var stepFailure: StepError? {
        let reason = "status \(response.status.code)"
        if response.status == .tooManyRequests {
            return .tooFast(SignInError(.tooFast, because: reason), retryIn: retryAfter)
        }
        return temporaryFailure.map { .temporaryFailure($0, retryAfter: retryAfter, because: reason) }
    }

    /// Reads the answer of an endpoint that answers with a message or an OAuth error.
    func success<Message: Decodable>(
        _ message: Message.Type = Message.self,
        orAs otherMedia: Set<String> = [],
        invalidGrantMeans invalidGrant: SignInError.Code = .refused,
        accessDeniedMeans accessDenied: SignInError.Code = .denied
    ) throws(StepError) -> Message {
        try refuseTemporaryFailure()
        if response.status == .ok {
            do throws(UnreadableAnswerError) {
                return try decoded(Message.self, orAs: otherMedia)
            } catch {
                throw .unreadable(because: error.reason)
            }
        }
        guard let refusal = try? decoded(OAuthErrorResponse.self) else {
            throw .unreadable(because: "status \(response.status.code)")
        }
        switch refusal.error {
        case .slowDown:
            throw .tooFast(SignInError(.tooFast, because: refusal.logLine), retryIn: retryAfter)
        case .temporarilyUnavailable:
            throw .temporaryFailure(.busy, retryAfter: retryAfter, because: refusal.logLine)
        case .serverError:
            throw .temporaryFailure(.serverFault, retryAfter: retryAfter, because: refusal.logLine)
        default:
            throw .final(SignInError(refusal, invalidGrantMeans: invalidGrant, accessDeniedMeans: accessDenied))
        }
    }
}

extension OAuthErrorResponse {
    /// The server's words for the log: one short line.
    var logLine: String { SignInError(self).reason }
}

extension TransportError {
    /// The temporary failure that this is; `nil` when trying again is of no use.
    var temporaryFailure: TemporaryFailure? {
        switch code {
        case .notReached: .notReachable
        case .notTrusted: .notTrusted
        case .interrupted, .timedOut: .interrupted
        case .tooLarge, .cancelled: nil
        }
    }

    /// The same as the failure of a step; a certificate that is not trusted is not tried again.
    var stepFailure: StepError {
        switch code {
        case .cancelled: .final(.taskCancelled)
        case .tooLarge: .unreadable(because: description)
        case .notTrusted: .final(SignInError(.notTrusted, because: description))
        case .notReached: .temporaryFailure(.notReachable, retryAfter: nil, because: description)
        case .interrupted, .timedOut: .temporaryFailure(.interrupted, retryAfter: nil, because: description)
        }
    }
}

extension HTTPTransport {
    /// Sends a request as a step, whose failures are those of the network.
    func answer(
        to request: HTTPRequest,
        body: [UInt8] = [],
        within limit: Duration
    ) async throws(StepError) -> HTTPAnswer {
        do throws(TransportError) {
            return try await send(request, body: body, within: limit)
        } catch {
            throw error.stepFailure
        }
    }
}
