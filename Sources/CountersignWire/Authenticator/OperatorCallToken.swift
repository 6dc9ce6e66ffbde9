public import FoundationEssentialsCompat

/// The secret that the server and the operator's webhook share.
public struct WebhookSecret: Secret {
    /// The least number of bytes. Standard: RFC 7518 §3.2.
    public static let least = 32
    /// The secret in the clear.
    public let revealed: String
    public init(revealing text: String) { revealed = text }
}

/// The token that reports a fact to the operator's webhook: a JWT by HS256 with the secret of both.
///
/// The same event may come more than once, and then has the same identifier. A token of one kind of fact is refused as
/// that of another.
///
/// ```swift
/// let told = try NewDeviceToken(body.token, by: secret, at: now)
/// let isNew = seen.insert(told.event).inserted
/// ```
public struct OperatorCallToken<Fact: Codable & Sendable & Equatable>: Sendable, Equatable {
    /// Identifies the event, the same in every attempt.
    public let event: String
    /// The reported fact.
    public let fact: Fact

    /// Verifies a token.
    ///
    /// - Parameters:
    ///   - text: The token, at most 4,096 bytes.
    ///   - secret: The secret of both sides.
    ///   - now: The current time; clocks may differ by ``CustomerSiteToken/leeway``.
    /// - Throws: ``CustomerSiteToken/VerificationError``.
    public init(_ text: String, by secret: WebhookSecret, at now: Date) throws(CustomerSiteToken.VerificationError) {
        let claims = try SharedSecretToken.payload(of: text, by: secret, as: OperatorCallClaims<Fact>.self, at: now) {
            ($0.issued, $0.expires)
        }
        event = claims.event
        fact = claims.fact
    }

    /// Writes a token.
    ///
    /// - Parameters:
    ///   - fact: The fact that is reported.
    ///   - event: Identifies the event, the same in every attempt.
    ///   - issuer: The base URL of the server.
    ///   - secret: The secret of both sides.
    ///   - now: The current time.
    ///   - lifetime: The lifetime, in seconds; 60 by default.
    /// - Throws: The error of `JSONEncoder`.
    public static func text(
        of fact: Fact,
        event: String,
        issuer: String,
        by secret: WebhookSecret,
        at now: Date,
        lifetime: Int = 60
    ) throws -> String {
        try OperatorCallClaims(fact, event: event, issuer: issuer, at: now, lifetime: lifetime).text(by: secret)
    }
}

/// The token that reports a new device to the operator's webhook.
public typealias NewDeviceToken = OperatorCallToken<NewDevice>

/// The token that reports a reached limit to the operator's webhook.
public typealias LimitAlarmToken = OperatorCallToken<LimitAlarm>

extension OperatorCallToken<NewDevice> {
    /// The new sign-in or device.
    public var device: NewDevice { fact }
}

extension OperatorCallToken<LimitAlarm> {
    /// The limit that was reached.
    public var alarm: LimitAlarm { fact }
}
