public import CountersignTransport
internal import HTTPTypes
internal import FoundationEssentialsCompat

/// Sends push messages through Firebase Cloud Messaging.
///
/// Standard: the FCM HTTP v1 API.
public struct GooglePushService: PushService {
    /// The default address for messages.
    public static let standardBase = "https://fcm.googleapis.com"

    private let base: String
    /// The project of the account, for addresses without one.
    private let project: String
    private let tokens: GoogleAccessTokens
    private let clock: TimeSource
    private let transport: any HTTPTransport

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - account: The service account, with the right to send in its project and those of the registered apps.
    ///   - base: The address of the API, without a path; Google's by default.
    ///   - clock: The time; `TimeSource.system` outside tests.
    ///   - transport: The network.
    /// - Throws: `Endpoint.ParsingError` for an address that cannot be called.
    public init(
        _ account: GoogleServiceAccount,
        at base: String = standardBase,
        clock: TimeSource,
        over transport: any HTTPTransport
    ) throws {
        _ = try Self.endpoint(of: account.project, at: base)
        self.base = base
        project = account.project
        tokens = GoogleAccessTokens(account, clock: clock, over: transport)
        self.clock = clock
        self.transport = transport
    }

    /// Whether an address is one of Google's.
    ///
    /// - Parameter service: The service of an address.
    public func serves(_ service: PushAddress.Service) -> Bool { service == .google }

    /// Sends a message, and again with a new access token if Google refuses the old one.
    ///
    /// - Parameter message: The address, the identifiers and the expiry.
    /// - Returns: The outcome of the attempt.
    public func send(_ message: PushMessage) async -> DeliveryOutcome {
        guard let endpoint = try? Self.endpoint(of: message.address.app ?? project, at: base) else {
            return .rejected("no project")
        }
        guard let body = try? body(of: message) else { return .rejected("a message that cannot be written") }
        switch await tokens.current() {
        case .failed(let outcome):
            return outcome
        case .token(let token):
            let first = await attempt(body, at: endpoint, showing: token)
            guard first.wasRefused else { return first.outcome }
            tokens.forget(token)
            guard case .token(let renewed) = await tokens.current() else { return first.outcome }
            return await attempt(body, at: endpoint, showing: renewed).outcome
        }
    }

    /// The address for messages to the apps of a project.
    private static func endpoint(of project: String, at base: String) throws(Endpoint.ParsingError) -> Endpoint {
        guard !project.isEmpty, project != ".", project != "..",
            project.utf8.allSatisfy({ URLSafeText.isUnreserved($0) || $0 == UInt8(ascii: ":") })
        else { throw .malformed }
        return try Endpoint("\(base)/v1/projects/\(project)/messages:send")
    }

    private struct Attempt {
        let outcome: DeliveryOutcome
        /// Whether the access token was refused.
        let wasRefused: Bool
    }

    private func attempt(_ body: [UInt8], at endpoint: Endpoint, showing token: PushProviderToken) async -> Attempt {
        var request = endpoint.request(.post)
        request.headerFields[.contentType] = "application/json"
        request.headerFields[.authorization] = "Bearer \(token.revealed)"
        do {
            let answer = try await transport.send(request, body: body, within: .seconds(3))
            return Attempt(outcome: Self.outcome(of: answer), wasRefused: answer.response.status == .unauthorized)
        } catch {
            return Attempt(outcome: .retry(error.code.rawValue), wasRefused: false)
        }
    }

    private struct Request: Encodable {
        struct Android: Encodable {
            let priority = "high"
            let ttl: String
            let collapse_key: String
        }
        struct Message: Encodable {
            let token: String
            let data: [String: String]
            let android: Android
        }
        let message: Message
    }

    /// The body: identifiers, and words that reveal nothing about the request.
    private func body(of message: PushMessage) throws -> [UInt8] {
        var data = message.payload.members
        data["message"] = message.words
        let left = max(0, Int(message.expires.timeIntervalSince(clock.now())))
        let request = Request(
            message: Request.Message(
                token: message.address.token, data: data,
                android: Request.Android(ttl: "\(left)s", collapse_key: message.collapseID))
        )
        return Array(try JSONEncoder.wire.encode(request))
    }

    private struct Problem: Decodable {
        struct Detail: Decodable {
            struct Violation: Decodable {
                let field: String?
            }
            let errorCode: String?
            let fieldViolations: [Violation]?
        }
        struct Body: Decodable {
            let status: String?
            let details: [Detail]?
        }
        let error: Body
    }

    private static func outcome(of answer: HTTPAnswer) -> DeliveryOutcome {
        let status = answer.response.status.code
        guard status != 200 else { return .accepted }
        let problem = (try? ForeignMessage.read(Problem.self, from: answer.body))?.error
        let details = problem?.details ?? []
        let code = details.compactMap(\.errorCode).first ?? problem?.status ?? "status \(status)"
        let isAboutToken = details.contains { detail in
            (detail.fieldViolations ?? []).contains { $0.field == "message.token" }
        }
        if status == 404 || code == "UNREGISTERED" || (status == 400 && isAboutToken) { return .deadAddress(code) }
        switch status {
        // The app belongs to another project.
        case 403 where code == "SENDER_ID_MISMATCH": return .rejected(code)
        // The account, or the load of the service: a later attempt may succeed.
        case 401, 403, 429, 500...: return .retry(code, after: answer.secondsToWait)
        default: return .rejected(code)
        }
    }
}
