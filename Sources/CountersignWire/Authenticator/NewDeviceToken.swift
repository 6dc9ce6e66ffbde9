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

    private struct Claims: Codable {
        var event: String
        var issuer: String
        var issued: Int
        var expires: Int
        var device: NewDevice

        enum CodingKeys: String, CodingKey {
            case event = "jti"
            case issuer = "iss"
            case issued = "iat"
            case expires = "exp"
        }

        init(event: String, issuer: String, issued: Int, expires: Int, device: NewDevice) {
            self.event = event
            self.issuer = issuer
            self.issued = issued
            self.expires = expires
            self.device = device
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                event: try members.decode(String.self, forKey: .event),
                issuer: try members.decode(String.self, forKey: .issuer),
                issued: try members.decode(Int.self, forKey: .issued),
                expires: try members.decode(Int.self, forKey: .expires),
                device: try NewDevice(from: decoder)
            )
        }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(event, forKey: .event)
            try members.encode(issuer, forKey: .issuer)
            try members.encode(issued, forKey: .issued)
            try members.encode(expires, forKey: .expires)
            try device.encode(to: encoder)
        }
    }

    /// Verifies a token.
    ///
    /// - Parameters:
    ///   - text: The token, at most 4,096 bytes.
    ///   - secret: The secret of both sides.
    ///   - now: The current time; clocks may differ by ``EnvironmentToken/leeway``.
    /// - Throws: ``EnvironmentToken/Refusal``.
    public init(_ text: String, by secret: WebhookSecret, at now: Date) throws(EnvironmentToken.Refusal) {
        let claims = try SharedSecretToken.payload(of: text, by: secret, as: Claims.self, at: now) {
            ($0.issued, $0.expires)
        }
        event = claims.event
        device = claims.device
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
        let issued = Int(now.timeIntervalSince1970)
        let claims = Claims(
            event: event, issuer: issuer, issued: issued, expires: issued + lifetime, device: device)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return SharedSecretToken.text(of: Array(try encoder.encode(claims)), by: secret)
    }
}
