internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A message to another server.
struct WebhookMessage: Sendable {
    /// The address to call.
    var address: String
    /// The JWT that says it, signed with the secret that both share.
    var token: String
}

/// Makes what customers' servers are told.
protocol WebhookSource: Sendable {
    /// The message to a site's server about a request; `nil` when it need not be told, or not any more.
    ///
    /// The token is made anew for each attempt, so that it is never out of date when it arrives.
    func message(to environment: CustomerSiteID, about request: AuthenticationRequest.ID) async throws
        -> WebhookMessage?
}

/// Calls customers' servers, and the operator's webhook.
struct WebhookCaller: Sendable {
    /// Names the call; it is the same in every attempt, so that a receiver can tell that it was called before.
    static let idField = HTTPField.Name("X-Countersign-Delivery")

    let source: (any WebhookSource)?
    let transport: any HTTPTransport

    /// Calls the server of a site; `nil` when nothing is set up that could.
    func call(
        _ environment: CustomerSiteID,
        about request: AuthenticationRequest.ID,
        as id: Delivery.ID
    ) async throws -> DeliveryOutcome? {
        guard let source, let message = try await source.message(to: environment, about: request) else { return nil }
        return await call(message, as: id)
    }

    /// Tells a server what a message says, once.
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

    /// No redirect is followed, and the body of the answer is not used. Every failure is tried again: a server that is
    /// being set up answers 404 for a while.
    private static func outcome(of answer: HTTPAnswer) -> DeliveryOutcome {
        switch answer.response.status.kind {
        case .successful: .accepted
        default: .retry("status \(answer.response.status.code)", after: answer.secondsToWait)
        }
    }
}

extension HTTPAnswer {
    /// The delay that the other side asks for, in seconds; `nil` when it does not say.
    ///
    /// Standard: RFC 9110 §10.2.3.
    var secondsToWait: Int? {
        RetryAfter(in: response.headerFields)?.seconds
    }
}
