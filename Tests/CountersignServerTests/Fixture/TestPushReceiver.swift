import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// A receiver of Web Push messages: a browser, or an app of UnifiedPush, and what its push service took.
struct TestPushReceiver: Sendable {
    static let endpoint = "https://web.push.apple.com/send/abc?x=1"
    /// The path of the endpoint in ``ScriptedTransport``.
    static let path = "/send/abc"

    let receiver = WebPushReceiver(drawingFrom: .system)

    func subscription(at endpoint: String = endpoint) throws -> WebPushSubscription {
        try #require(receiver.subscription(at: endpoint))
    }

    /// The members of a message that was sent.
    func members(of sent: ScriptedTransport.SentRequest) throws -> [String: String] {
        try JSONDecoder().decode([String: String].self, from: Data(try #require(receiver.opened(sent.body))))
    }
}

extension ScriptedTransport {
    /// A push service that gives these answers in turn.
    static func pushService(_ statuses: Int..., retryAfter: String? = nil) -> ScriptedTransport {
        ScriptedTransport([
            TestPushReceiver.path: statuses.map { status in
                var fields: HTTPFields = [:]
                fields[.retryAfter] = retryAfter
                return .answer(HTTPAnswer(HTTPResponse(status: .init(code: status), headerFields: fields)))
            }
        ])
    }
}

extension TestBrowser {
    /// Registers the browser for push messages.
    func registerForPush(
        _ subscription: WebPushSubscription, preferring language: String? = nil
    ) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        headers[.acceptLanguage] = language
        return try await post("account/push", ["subscription": subscription.text], headers: headers)
    }
}
