public import FoundationEssentialsCompat

/// The registration of a client that registered itself at `/register`, and manages its registration.
///
/// Standard: RFC 7591; RFC 7592. That a registration expires is an addition of Countersign.
public struct DynamicRegistration: Sendable, Equatable {
    /// The digest of the token that lets the client read, replace and remove its registration.
    public let token: SecretDigest
    /// The time of the client's removal unless it receives a token before; `nil` for never.
    public var expires: Date?
    /// The client's authentication method, as it registered.
    public var method: PresentedCredentials.Method
    /// The software, as the client describes it; `nil` for none.
    public var software: ClientSoftware?
    /// The client's allowance in addition to that of every self-registered client.
    public let allowance: RegistrationAllowance

    /// Creates a registration to store.
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
    /// The allowance of the client's initial access token; `nil` for a client that registered without one.
    ///
    /// Only a registration without a token ever expires.
    package var allowanceByToken: RegistrationAllowance? { expires == nil ? allowance : nil }
}

/// The allowance of an initial access token in addition to that of every self-registered client.
public struct RegistrationAllowance: Sendable, Equatable, Codable {
    /// Whether it may use the grant type `client_credentials`.
    public var clientCredentials: Bool
    /// The additional scope.
    public var scope: Scope
    /// The audiences whose tokens it may introspect.
    public var serves: [String]

    /// Creates an allowance.
    public init(clientCredentials: Bool = false, scope: Scope = .none, serves: [String] = []) {
        self.clientCredentials = clientCredentials
        self.scope = scope
        self.serves = serves
    }

    /// No additional allowance.
    public static let none = RegistrationAllowance()

    enum CodingKeys: String, CodingKey {
        case clientCredentials = "client_credentials"
        case scope
        case serves
    }
}
