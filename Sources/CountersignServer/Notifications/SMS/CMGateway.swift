public import CountersignTransport
internal import HTTPTypes
internal import FoundationEssentialsCompat

/// Sends text messages through CM.com's Business Messaging API.
///
/// It has no idempotency: a message without an answer is not sent again.
///
/// Standard: CM.com Business Messaging API 1.0.
public struct CMGateway: SMSGateway {
    /// The default address for messages.
    public static let standardAddress = "https://gw.cmtelecom.com/v1.0/message"

    private static let tokenField = HTTPField.Name("X-CM-PRODUCTTOKEN")

    private let endpoint: Endpoint
    private let token: GatewayCredential
    private let sender: String
    private let transport: any HTTPTransport

    /// Creates a gateway.
    ///
    /// - Parameters:
    ///   - endpoint: The address of the API.
    ///   - token: The product token.
    ///   - sender: The sender that telephones show: at most 11 letters and digits, or a number.
    ///   - transport: The network.
    public init(_ endpoint: Endpoint, token: GatewayCredential, sender: String, over transport: any HTTPTransport) {
        self.endpoint = endpoint
        self.token = token
        self.sender = sender
        self.transport = transport
    }

    private struct Request: Encodable {
        struct Envelope: Encodable {
            let msg: [Message]
        }
        struct Message: Encodable {
            let from: String
            let to: [Number]
            let body: Body
            let reference: String
            let validity: String
            let allowedChannels = ["SMS"]
            let minimumNumberOfMessageParts = 1
            let maximumNumberOfMessageParts = 3
        }
        struct Number: Encodable {
            let number: String
        }
        struct Body: Encodable {
            let type = "auto"
            let content: String
        }
        let messages: Envelope
    }

    private struct Answer: Decodable {
        struct Message: Decodable {
            let messageErrorCode: Int?
        }
        let errorCode: Int?
        let messages: [Message]?
    }

    /// Sends a message.
    ///
    /// - Parameter message: The number, the words and the expiry, with the identifier of all attempts.
    /// - Returns: The outcome of the attempt.
    public func send(_ message: TextMessage) async -> DeliveryOutcome {
        let asked = Request(
            messages: Request.Envelope(
                msg: [
                    Request.Message(
                        from: sender,
                        to: [Request.Number(number: "00\(message.number.text.dropFirst())")],
                        body: Request.Body(content: message.text.revealed),
                        reference: message.id.reference,
                        validity: Self.validity(until: message.expires)
                    )
                ]
            )
        )
        guard let body = try? JSONEncoder.wire.encode(asked), let field = Self.tokenField else {
            return .rejected("a message that cannot be written")
        }
        var request = endpoint.request(.post)
        request.headerFields[.contentType] = "application/json"
        request.headerFields[field] = token.revealed
        do {
            let answer = try await transport.send(request, body: Array(body), within: DeliveryTimes.longestCall)
            return Self.outcome(of: answer)
        } catch {
            return .lost(error)
        }
    }

    /// The latest time for the message's delivery, as CM reads a date and time.
    private static func validity(until end: Date) -> String {
        end.formatted(.iso8601.dateTimeSeparator(.space).timeSeparator(.colon)).replacing("Z", with: " GMT")
    }

    /// The codes of refused calls: token, balance, or the form of the call.
    private static let refusals = 101..<300

    /// The outcome of an answer, by the codes of the message and of the call.
    ///
    /// Without a refusal in the answer the message may have been sent, and is not sent and paid for again.
    private static func outcome(of answer: HTTPAnswer) -> DeliveryOutcome {
        let status = answer.response.status
        let said = try? ForeignMessage.read(Answer.self, from: answer.body)
        let code = said?.messages?.first?.messageErrorCode ?? said?.errorCode
        switch code {
        case 0 where status.kind == .successful:
            return .accepted
        // The message itself: its sender, number or words, or filters and lists of the operator's account.
        case .some(300..<500):
            return .rejected("code \(code ?? 0)")
        // The operator can correct an account without balance or a wrong token in time.
        case .some(refusals):
            return .retry("status \(status.code), code \(code ?? 0)", after: answer.secondsToWait)
        default:
            return .without(status, "code \(code.map(String.init) ?? "none")", after: answer.secondsToWait)
        }
    }
}

/// The credential of the server at a gateway.
public struct GatewayCredential: Secret {
    /// The secret in the clear.
    public let revealed: String
    /// Creates a credential from its text.
    public init(revealing text: String) { revealed = text }

    /// The value of `Authorization` for a name and a secret.
    ///
    /// Standard: RFC 7617 §2.
    static func basic(_ name: String, _ secret: GatewayCredential) -> GatewayCredential {
        GatewayCredential(revealing: "Basic \(Base64.encode(Array("\(name):\(secret.revealed)".utf8)))")
    }
}

extension DeliveryOutcome {
    /// The outcome without an answer. A message that may have been sent is not sent and paid for again.
    static func lost(_ error: TransportError) -> DeliveryOutcome {
        error.mayHaveArrived && error.code != .cancelled
            ? .unknown(error.code.rawValue) : .retry(error.code.rawValue)
    }

    /// The outcome of an answer without a code for it.
    ///
    /// A gateway that failed, or answered unreadably, may have sent the message. A gateway that is overloaded (429,
    /// 503) or refuses the call has not.
    static func without(_ status: HTTPResponse.Status, _ detail: String, after seconds: Int?) -> DeliveryOutcome {
        let reason = "status \(status.code), \(detail)"
        let isRefused = status == .serviceUnavailable || status.kind == .clientError || status.kind == .redirection
        return isRefused ? .retry(reason, after: seconds) : .unknown(reason)
    }
}
