internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes

extension ApprovalError {
    /// No answer came to a question that changes nothing.
    init(looking error: TransportError) {
        switch error.code {
        case .cancelled: self.init(.cancelled, because: "the task was cancelled")
        case .tooLarge: self.init(.badAnswer, because: error.description)
        case .notTrusted: self.init(.notTrusted, because: error.description)
        case .notReached, .interrupted, .timedOut:
            self.init(.unreachable, because: error.description, isPassing: error.isTransient)
        }
    }

    /// The server was reached, and sent no metadata: it is busy, has failed, or is not at this address.
    init(lackingMetadata answer: HTTPAnswer) {
        let status = answer.response.status
        let reason = "no metadata: status \(status.code)"
        let pause = RetryAfter(in: answer.response.headerFields)
        switch status.code {
        case 408, 425, 429: self.init(.busy, because: reason, retryAfter: pause)
        case 500...: self.init(.unreachable, because: reason, isPassing: true, retryAfter: pause)
        default: self.init(.badAnswer, because: reason)
        }
    }

    /// The app's own access token could not be obtained.
    init(authenticating error: any Error) {
        if error is CancellationError || Task.isCancelled {
            self.init(.cancelled, because: "the task was cancelled")
        } else if (error as? any TransientError)?.isAccountLocked == true {
            self.init(.accountLocked, because: "no access token: \(error)")
        } else if (error as? any TransientError)?.isTransient == true {
            self.init(.unreachable, because: "no access token: \(error)", isPassing: true)
        } else {
            self.init(.signedOut, because: "no access token: \(error)")
        }
    }

    /// No answer came to a decision.
    init(deciding error: TransportError) {
        switch error.code {
        case .notReached: self.init(.unreachable, because: error.description)
        case .notTrusted: self.init(.notTrusted, because: error.description)
        case .cancelled, .tooLarge, .interrupted, .timedOut: self.init(.outcomeUnknown, because: error.description)
        }
    }

    /// The server refused a call.
    init(_ answer: HTTPAnswer, to call: ApproverCall) {
        let status = answer.response.status
        let refusal = try? answer.decoded(ApproverErrorResponse.self)
        let word = refusal.map { ": \(DeviceAuthorizationRequest.presentable($0.error.rawValue) ?? "")" } ?? ""
        let reason = "status \(status.code)\(word)"
        let pause = RetryAfter(in: answer.response.headerFields)
        switch (status, refusal?.error) {
        case (.unauthorized, _): self.init(.signedOut, because: reason)
        case (.forbidden, .accessDenied?), (.badRequest, .accessDenied?):
            // The digits of the screen mend that.
            let obstacle = call.accessDenied == .digitsNeeded && refusal?.obstacle == .nearby ? nil : refusal?.obstacle
            self.init(obstacle == nil ? call.accessDenied : .policyRefused, because: reason, obstacle: obstacle)
        // The scope is only for a group; the request is denied.
        case (.forbidden, .invalidScope?): self.init(.policyRefused, because: reason)
        case (.forbidden, _): self.init(.notPermitted, because: reason)
        case (.tooManyRequests, _): self.init(.busy, because: reason, retryAfter: pause)
        case (.badRequest, .invalidGrant?):
            self.init(.nothingToDecide, because: reason, answered: refusal?.answeredBy)
        case (.badRequest, .invalidNumber?): self.init(.wrongNumber, because: reason)
        case (.badRequest, .invalidRequest?):
            let words = call.isObjectedInWords ? refusal?.description : nil
            self.init(
                .refused, because: reason,
                objection: words.flatMap { DeviceAuthorizationRequest.presentable($0, upTo: Self.longestObjection) })
        case (.notFound, .invalidRequest?) where call.mayFindNothing: self.init(.notRegistered, because: reason)
        case (.notFound, _) where call.isOptional: self.init(.notOffered, because: reason)
        case _ where status.kind == .serverError:
            self.init(failing: status, deciding: call.decides, because: reason, retryAfter: pause)
        default: self.init(.badAnswer, because: reason)
        }
    }

    /// The server failed, or a gateway before it. Only 503 means that nothing was done: after any other status a
    /// decision may have been stored.
    init(
        failing status: HTTPResponse.Status,
        deciding: Bool,
        because reason: String,
        retryAfter pause: RetryAfter? = nil
    ) {
        if deciding, status != .serviceUnavailable {
            self.init(.outcomeUnknown, because: reason)
        } else {
            self.init(.unreachable, because: reason, isPassing: true, retryAfter: pause)
        }
    }
}
