public import CountersignTransport
internal import HTTPTypes
internal import FoundationEssentialsCompat

/// Sends text messages through Twilio.
///
/// It has no idempotency: a message without an answer is not sent again.
///
/// Standard: Twilio's Programmable Messaging API, version 2010-04-01.
public struct TwilioGateway: SMSGateway {
    /// The default address of the API.
    public static let standardBase = "https://api.twilio.com"

    private let endpoint: Endpoint
    /// The value of the `Authorization` header.
    private let authorization: GatewayCredential
    private let sender: String
    private let clock: TimeSource
    private let transport: any HTTPTransport

    /// Creates a gateway.
    ///
    /// - Parameters:
    ///   - base: The address of the API, without a path.
    ///   - account: The identifier of the account (`AC…`).
    ///   - key: The identifier of an API key (`SK…`); `nil` when `secret` is the account's own token.
    ///   - secret: The secret of the key, or the account's token.
    ///   - sender: The sender: a number, letters and digits, or the identifier of a messaging service (`MG…`).
    ///   - clock: The time; `TimeSource.system` outside tests.
    ///   - transport: The network.
    /// - Throws: `Endpoint.ParsingError` for an address that cannot be called.
    public init(
        _ base: String = standardBase,
        account: String,
        key: String? = nil,
        secret: GatewayCredential,
        sender: String,
        clock: TimeSource,
        over transport: any HTTPTransport
    ) throws {
        endpoint = try Endpoint("\(base)/2010-04-01/Accounts/\(account)/Messages.json")
        authorization = .basic(key ?? account, secret)
        self.sender = sender
        self.clock = clock
        self.transport = transport
    }

    private struct Refusal: Decodable {
        let code: Int?
    }

    /// The bounds of the validity period, in seconds.
    private static let validity = 1...36_000

    /// Sends a message.
    ///
    /// - Parameter message: The number, the words and the expiry, with the identifier of all attempts.
    /// - Returns: The outcome of the attempt.
    public func send(_ message: TextMessage) async -> DeliveryOutcome {
        var form = Form()
        form["To"] = message.number.text
        form[sender.hasPrefix("MG") ? "MessagingServiceSid" : "From"] = sender
        form["Body"] = message.text.revealed
        let left = Int(message.expires.timeIntervalSince(clock.now()).rounded(.up))
        form["ValidityPeriod"] = "\(min(max(left, Self.validity.lowerBound), Self.validity.upperBound))"
        var request = endpoint.request(.post)
        request.headerFields[.contentType] = Form.mediaType
        request.headerFields[.authorization] = authorization.revealed
        do {
            let answer = try await transport.send(
                request, body: Array(form.encoded.utf8), within: DeliveryTimes.longestCall)
            return Self.outcome(of: answer)
        } catch {
            return .lost(error)
        }
    }

    private static func outcome(of answer: HTTPAnswer) -> DeliveryOutcome {
        let status = answer.response.status
        let code = (try? ForeignMessage.read(Refusal.self, from: answer.body))?.code
        let detail = "code \(code.map(String.init) ?? "none")"
        switch status.code {
        case 200..<300: return .accepted
        // Number, sender or words: another attempt has the same result.
        case 400: return .rejected("status 400, \(detail)")
        // The operator can correct a locked account or a wrong token in time.
        default: return .without(status, detail, after: answer.secondsToWait)
        }
    }
}
