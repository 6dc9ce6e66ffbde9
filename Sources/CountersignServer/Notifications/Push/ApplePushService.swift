public import CountersignTransport
internal import Crypto
internal import HTTPTypes
internal import FoundationEssentialsCompat

/// Sends push messages through Apple Push Notification service.
///
/// Standard: Apple's "Sending notification requests to APNs" and "Establishing a token-based connection to APNs".
public struct ApplePushService: PushService {
    /// The addresses for messages.
    public struct Hosts: Sendable {
        /// The address for apps from the store.
        public var production: String
        /// The address for development builds.
        public var sandbox: String

        /// Creates addresses; those of Apple by default.
        public init(
            production: String = "https://api.push.apple.com",
            sandbox: String = "https://api.sandbox.push.apple.com"
        ) {
            self.production = production
            self.sandbox = sandbox
        }
    }

    private let hosts: Hosts
    private let topic: String
    private let tokens: AppleProviderTokens
    private let transport: any HTTPTransport
    private let limit: Duration

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - pem: The text of the key file from Apple (`.p8`).
    ///   - keyID: Apple's identifier of the key.
    ///   - team: The identifier of the developer team.
    ///   - topic: The app's bundle identifier, for addresses without one.
    ///   - hosts: The addresses for messages; Apple's by default.
    ///   - clock: The time; `TimeSource.system` outside tests.
    ///   - transport: The network; it must speak HTTP/2, as `SystemTransport.makeOfferingHTTP2()` does.
    ///   - limit: The maximum duration of one call; four seconds by default.
    /// - Throws: `CryptoKitASN1Error` or `CryptoKitError` when the text is no key on P-256.
    public init(
        pem: String,
        keyID: String,
        team: String,
        topic: String,
        hosts: Hosts = Hosts(),
        clock: TimeSource,
        over transport: any HTTPTransport,
        within limit: Duration = .seconds(4)
    ) throws {
        let key = try P256.Signing.PrivateKey(pemRepresentation: pem)
        tokens = AppleProviderTokens(key: key, id: keyID, team: team, clock: clock)
        self.hosts = hosts
        self.topic = topic
        self.transport = transport
        self.limit = limit
    }

    /// Whether an address is one of Apple's.
    ///
    /// - Parameter service: The service of an address.
    public func serves(_ service: PushAddress.Service) -> Bool { service == .apple }

    /// Sends a message, and again with a new provider token if the old one has expired.
    ///
    /// - Parameter message: The address, the identifiers and the expiry.
    /// - Returns: The outcome of the attempt.
    public func send(_ message: PushMessage) async -> DeliveryOutcome {
        let base = message.address.isDevelopment ? hosts.sandbox : hosts.production
        guard message.address.token.utf8.allSatisfy({ Self.isTokenCharacter($0) }), !message.address.token.isEmpty,
            let endpoint = try? Endpoint("\(base)/3/device/\(message.address.token)"),
            let body = try? Self.body(of: message)
        else { return .deadAddress("no device token") }
        do throws(TransportError) {
            let token = tokens.current()
            let answer = try await attempt(message, at: endpoint, body, showing: token)
            guard Self.reason(in: answer) == "ExpiredProviderToken", let renewed = tokens.replacing(token) else {
                return Self.outcome(of: answer)
            }
            return Self.outcome(of: try await attempt(message, at: endpoint, body, showing: renewed))
        } catch {
            return .retry(error.code.rawValue)
        }
    }

    private func attempt(
        _ message: PushMessage, at endpoint: Endpoint, _ body: [UInt8], showing token: PushProviderToken
    ) async throws(TransportError) -> HTTPAnswer {
        var request = endpoint.request(.post)
        request.headerFields[.contentType] = "application/json"
        request.headerFields[.authorization] = "bearer \(token.revealed)"
        let fields: [(HTTPField.Name?, String)] = [
            (HTTPField.Name("apns-topic"), message.address.app ?? topic),
            (HTTPField.Name("apns-push-type"), "alert"),
            (HTTPField.Name("apns-priority"), "10"),
            (HTTPField.Name("apns-expiration"), "\(Int(message.expires.timeIntervalSince1970))"),
            (HTTPField.Name("apns-collapse-id"), message.collapseID),
        ]
        for (name, value) in fields {
            if let name { request.headerFields[name] = value }
        }
        return try await transport.send(request, body: body, within: limit)
    }

    /// Device tokens are hexadecimal digits today; only unreserved characters may be in the path.
    private static func isTokenCharacter(_ byte: UInt8) -> Bool { URLSafeText.isUnreserved(byte) }

    private struct Notification: Encodable {
        struct Alert: Encodable {
            let body: String
        }
        struct Application: Encodable {
            let alert: Alert
            let category: String?
            let sound = "default"
            /// Wakes the app in the background, so that it fetches the request in advance.
            let isContentAvailable = 1
            /// Lets the app's extension change the words.
            let hasMutableContent = 1

            enum CodingKeys: String, CodingKey {
                case alert, category, sound
                case isContentAvailable = "content-available"
                case hasMutableContent = "mutable-content"
            }
        }
        let aps: Application
        let envId: String?
        let authId: String?
        let type: String?
    }

    /// The body: identifiers, and words that reveal nothing about the request.
    private static func body(of message: PushMessage) throws -> [UInt8] {
        let category: PushPayload.Kind? =
            switch message.payload.kind {
            case .instant: .instant
            case .scan: .scan
            // The older app has no category for one-time passwords.
            case .oneTimePassword, nil: nil
            }
        let notification = Notification(
            aps: Notification.Application(alert: Notification.Alert(body: message.words), category: category?.rawValue),
            envId: message.payload.environment?.rawValue,
            authId: message.payload.request?.rawValue,
            type: message.payload.kind?.rawValue
        )
        return Array(try JSONEncoder.wire.encode(notification))
    }

    private struct Problem: Decodable {
        let reason: String
    }

    private static func reason(in answer: HTTPAnswer) -> String? {
        (try? ForeignMessage.read(Problem.self, from: answer.body))?.reason
    }

    private static func outcome(of answer: HTTPAnswer) -> DeliveryOutcome {
        let status = answer.response.status.code
        let reason = reason(in: answer) ?? "status \(status)"
        switch status {
        case 200: return .accepted
        case 410: return .deadAddress(reason)
        case 400 where reason == "BadDeviceToken": return .deadAddress(reason)
        // The key, the server's clock or the load: a later attempt may succeed.
        case 403, 429, 500...: return .retry(reason, after: answer.secondsToWait)
        default: return .rejected(reason)
        }
    }
}
