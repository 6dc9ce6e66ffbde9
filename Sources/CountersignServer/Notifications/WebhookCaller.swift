internal import CountersignTransport
internal import HTTPTypes
internal import FoundationEssentialsCompat

/// The content of a webhook call.
struct WebhookMessage: Sendable {
    /// The address to call.
    var address: String
    /// The JWT, signed with the shared secret.
    var token: String
}

/// The source of webhook calls to customers' servers.
protocol WebhookSource: Sendable {
    /// The call to a site's server about a request; `nil` when none is needed.
    ///
    /// Each attempt has a new token, so that it arrives before its expiry.
    func message(to environment: CustomerSiteID, about request: AuthenticationRequest.ID) async throws
        -> WebhookMessage?
}

/// Calls customers' servers, and the operator's webhook.
struct WebhookCaller: Sendable {
    /// The identifier of the call, the same in every attempt, so that a receiver can detect repetitions.
    static let idField = HTTPField.Name("X-Countersign-Delivery")

    let source: (any WebhookSource)?
    let transport: any HTTPTransport

    /// Calls the server of a site; `nil` when no call is needed.
    func call(
        _ environment: CustomerSiteID, about request: AuthenticationRequest.ID, as id: Delivery.ID
    ) async throws -> DeliveryOutcome? {
        guard let source, let message = try await source.message(to: environment, about: request) else { return nil }
        return await call(message, as: id)
    }

    /// Calls a server, once.
    func call(_ message: WebhookMessage, as id: Delivery.ID) async -> DeliveryOutcome {
        if let objection = NotificationAddress.objection(to: message.address, isSelfRegistered: false) {
            return .rejected(objection)
        }
        guard let endpoint = try? Endpoint(message.address),
            let body = try? JSONEncoder.wire.encode(["token": message.token])
        else { return .rejected("an address that cannot be called") }
        var call = endpoint.request(.post)
        call.headerFields[.contentType] = "application/json"
        if let name = Self.idField { call.headerFields[name] = id.rawValue }
        do {
            let answer = try await transport.send(call, body: Array(body), within: DeliveryTimes.longestCall)
            return Self.outcome(of: answer)
        } catch {
            return .retry(error.code.rawValue)
        }
    }

    /// The outcome of an answer. Redirects are not followed, and the body is ignored. Every failure is repeated, since
    /// a new server may answer 404 for a while.
    private static func outcome(of answer: HTTPAnswer) -> DeliveryOutcome {
        switch answer.response.status.kind {
        case .successful: .accepted
        default: .retry("status \(answer.response.status.code)", after: answer.secondsToWait)
        }
    }
}

extension HTTPAnswer {
    /// The requested delay, in seconds; `nil` for none.
    ///
    /// Standard: RFC 9110 §10.2.3.
    var secondsToWait: Int? {
        RetryAfter(in: response.headerFields)?.seconds
    }
}
