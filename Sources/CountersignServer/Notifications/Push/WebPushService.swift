internal import CountersignTransport
internal import Crypto
internal import HTTPTypes
internal import FoundationEssentialsCompat

/// Sends push messages to browsers and to apps of UnifiedPush, encrypted for their receiver.
///
/// Standard: RFC 8030 §5, RFC 8291, RFC 8292.
struct WebPushService: PushService {
    /// The maximum duration of one call.
    private static let limit: Duration = .seconds(4)
    /// The length of each padded message is a multiple of it, in bytes, so that it tells nothing of the content.
    private static let step = 256
    /// The longest topic, in characters.
    private static let longestTopic = 32

    let settings: WebPushSettings
    let issuer: Issuer
    let keys: KeyRing
    let mint: CodeMint
    let clock: TimeSource
    let transport: any HTTPTransport

    init(_ settings: WebPushSettings, for core: ServerCore, over transport: any HTTPTransport) {
        self.settings = settings
        issuer = core.issuer
        keys = core.keys
        mint = core.mint
        clock = core.clock
        self.transport = transport
    }

    func serves(_ service: PushAddress.Service) -> Bool { service == .web }

    func send(_ message: PushMessage) async -> DeliveryOutcome {
        guard let subscription = message.address.subscription else { return .deadAddress("no subscription") }
        // The rule may have changed since the registration.
        if let objection = settings.objection(to: subscription) { return .rejected(objection) }
        let request: HTTPRequest
        let body: [UInt8]
        do {
            request = try await head(of: message, to: subscription)
            body = try WebPushMessage.encrypted(
                content(of: message), paddedTo: Self.step, to: subscription, from: P256.KeyAgreement.PrivateKey(),
                salt: mint.keyBytes(EncryptedContent.saltLength))
        } catch is WebPushMessage.TooLongError {
            return .rejected("a message that is too long")
        } catch {
            return .retry("not encrypted: \(type(of: error))")
        }
        do {
            return Self.outcome(of: try await transport.send(request, body: body, within: Self.limit))
        } catch {
            return .retry(error.code.rawValue)
        }
    }

    /// The request without its body.
    private func head(of message: PushMessage, to subscription: WebPushSubscription) async throws -> HTTPRequest {
        let now = clock.now()
        let key = try await keys.current().applicationServerKey
        var request = try Endpoint(subscription.endpoint).request(.post)
        request.headerFields = [
            .authorization: try key.authorization(
                for: subscription.origin, contact: settings.contact(of: issuer), at: now),
            .contentType: "application/octet-stream",
            .contentEncoding: EncryptedContent.coding,
            .timeToLive: "\(max(0, Int(message.expires.timeIntervalSince(now))))",
            .urgency: "high",
            .topic: Self.topic(of: message),
        ]
        return request
    }

    /// The topic, by which a later message about the same request replaces an earlier one; it does not name the request.
    ///
    /// Standard: RFC 8030 §5.4.
    private static func topic(of message: PushMessage) -> String {
        let digest = SHA256.hash(data: Array(message.collapseID.utf8))
        return String(URLSafeText.encode(digest).prefix(longestTopic))
    }

    /// The content: identifiers, and words that reveal nothing about the request.
    private func content(of message: PushMessage) throws -> [UInt8] {
        var members = message.payload.members
        members["message"] = message.words
        return Array(try JSONEncoder.wire.encode(members))
    }

    /// The outcome of an answer. Redirects are not followed, and the body is ignored.
    private static func outcome(of answer: HTTPAnswer) -> DeliveryOutcome {
        let status = answer.response.status.code
        switch status {
        case 200..<300: return .accepted
        case 404, 410: return .deadAddress("status \(status)")
        case 429, 500...: return .retry("status \(status)", after: answer.secondsToWait)
        default: return .rejected("status \(status)")
        }
    }
}

extension HTTPField.Name {
    fileprivate static let timeToLive = HTTPField.Name("TTL")!
    fileprivate static let urgency = HTTPField.Name("Urgency")!
    fileprivate static let topic = HTTPField.Name("Topic")!
}
