public import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How a client registered itself at `/register`, and how it manages its registration.
///
/// Standard: RFC 7591; RFC 7592. That a registration expires is an addition of Countersign.
public struct DynamicRegistration: Sendable, Equatable {
    /// The digest of the token with which the client reads, replaces and removes its registration.
    public let token: SecretDigest
    /// When the client is removed unless it gets a token before; `nil` for never.
    public var expires: Date?
    /// How the client authenticates, as it registered.
    public var method: PresentedCredentials.Method
    /// The software, as it names itself; `nil` when it does not.
    public var software: ClientSoftware?
    /// What it may register for beyond what every client may that registers itself.
    public let allowance: RegistrationAllowance

    /// Creates a registration to store.
    ///
    /// - Parameters:
    ///   - token: The digest of the token with which the client manages its registration.
    ///   - expires: When the client is removed unless it gets a token before; `nil` for never.
    ///   - method: How the client authenticates.
    ///   - software: The software, as it names itself; `nil` when it does not.
    ///   - allowance: What it may register for beyond what every client may that registers itself.
    public init(
        token: SecretDigest,
        expires: Date?,
        method: PresentedCredentials.Method,
        software: ClientSoftware?,
        allowance: RegistrationAllowance
    ) {
        self.token = token
        self.expires = expires
        self.method = method
        self.software = software
        self.allowance = allowance
    }
}

extension DynamicRegistration {
    /// What the initial access token allows with which the client registered; `nil` for one that registered without.
    ///
    /// Only a registration without a token ever expires.
    var allowanceByToken: RegistrationAllowance? { expires == nil ? allowance : nil }
}

/// What an initial access token lets a client register for, beyond what every client may that registers itself.
public struct RegistrationAllowance: Sendable, Equatable, Codable {
    /// Whether it may have tokens of its own, without a person (`client_credentials`).
    public var clientCredentials: Bool
    /// The words that it may ask for besides.
    public var scope: Scope
    /// The audiences whose tokens it may introspect.
    public var serves: [String]

    /// Creates an allowance.
    ///
    /// - Parameters:
    ///   - clientCredentials: Whether it may have tokens of its own; not by default.
    ///   - scope: The words that it may ask for besides; none by default.
    ///   - serves: The audiences whose tokens it may introspect; none by default.
    public init(clientCredentials: Bool = false, scope: Scope = .none, serves: [String] = []) {
        self.clientCredentials = clientCredentials
        self.scope = scope
        self.serves = serves
    }

    /// Nothing beyond.
    public static let none = RegistrationAllowance()

    enum CodingKeys: String, CodingKey {
        case clientCredentials = "client_credentials"
        case scope
        case serves
    }
}
