public import Countersign
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The secret that the server and the operator's webhook share.
public struct WebhookSecret: Secret {
    /// The least number of bytes. Standard: RFC 7518 §3.2.
    public static let least = 32
    /// The secret in the clear.
    public let revealed: String
    /// Takes over a secret that the operator chose.
    public init(revealing text: String) { revealed = text }
}

/// What the operator's webhook is told of a new device: a JWT by HS256 with the secret of both.
///
/// The same event may come more than once, and then has the same identifier.
///
/// ```swift
/// let told = try NewDeviceToken(body.token, by: secret, at: now)
/// let isNew = seen.insert(told.event).inserted
/// ```
public struct NewDeviceToken: Sendable, Equatable {
    /// Identifies the event, the same in every attempt.
    public let event: String
    /// What is new.
    public let device: NewDevice

    /// Verifies a token.
    ///
    /// - Parameters:
    ///   - text: The token, at most 4,096 bytes.
    ///   - secret: The secret of both sides.
    ///   - now: The current time; clocks may differ by ``EnvironmentToken/leeway``.
    /// - Throws: ``EnvironmentToken/Refusal``.
    public init(_ text: String, by secret: WebhookSecret, at now: Date) throws(EnvironmentToken.Refusal) {
        let claims = try SharedSecretToken.payload(
            of: text, by: secret, as: OperatorCallClaims<NewDevice>.self, at: now
        ) {
            ($0.issued, $0.expires)
        }
        event = claims.event
        device = claims.fact
    }

    /// Writes a token.
    ///
    /// - Parameters:
    ///   - device: What is new.
    ///   - event: Identifies the event, the same in every attempt.
    ///   - issuer: The base URL of the server.
    ///   - secret: The secret of both sides.
    ///   - now: The current time.
    ///   - lifetime: How long it is valid, in seconds; 60 by default.
    /// - Throws: What `JSONEncoder` throws.
    public static func text(
        of device: NewDevice,
        event: String,
        issuer: String,
        by secret: WebhookSecret,
        at now: Date,
        lifetime: Int = 60
    ) throws -> String {
        try OperatorCallClaims(device, event: event, issuer: issuer, at: now, lifetime: lifetime).text(by: secret)
    }
}
