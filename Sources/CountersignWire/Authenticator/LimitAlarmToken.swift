#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What the operator's webhook is told of a limit that was reached: a JWT by HS256 with the secret of both.
///
/// The same event may come more than once, and then has the same identifier. ``NewDeviceToken`` refuses it, as this refuses
/// tokens of new devices.
public struct LimitAlarmToken: Sendable, Equatable {
    /// Identifies the event, the same in every attempt.
    public let event: String
    /// What was reached.
    public let alarm: LimitAlarm

    /// Verifies a token.
    ///
    /// - Parameters:
    ///   - text: The token, at most 4,096 bytes.
    ///   - secret: The secret of both sides.
    ///   - now: The current time; clocks may differ by ``EnvironmentToken/leeway``.
    /// - Throws: ``EnvironmentToken/Refusal``.
    public init(_ text: String, by secret: WebhookSecret, at now: Date) throws(EnvironmentToken.Refusal) {
        let claims = try SharedSecretToken.payload(
            of: text, by: secret, as: OperatorCallClaims<LimitAlarm>.self, at: now
        ) {
            ($0.issued, $0.expires)
        }
        event = claims.event
        alarm = claims.fact
    }

    /// Writes a token.
    ///
    /// - Parameters:
    ///   - alarm: What was reached.
    ///   - event: Identifies the event, the same in every attempt.
    ///   - issuer: The base URL of the server.
    ///   - secret: The secret of both sides.
    ///   - now: The current time.
    ///   - lifetime: How long it is valid, in seconds; 60 by default.
    /// - Throws: What `JSONEncoder` throws.
    public static func text(
        of alarm: LimitAlarm,
        event: String,
        issuer: String,
        by secret: WebhookSecret,
        at now: Date,
        lifetime: Int = 60
    ) throws -> String {
        try OperatorCallClaims(alarm, event: event, issuer: issuer, at: now, lifetime: lifetime).text(by: secret)
    }
}
