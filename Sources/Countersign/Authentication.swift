/// Another provider of identities, as it names itself.
///
/// Standard: OpenID Connect Core 1.0 §2 (`iss`).
public struct IdentityIssuer: Identifier {
    /// The name, a URL, compared letter by letter.
    public let rawValue: String
    /// Creates a name from any text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The way that another provider's assertion about a person reached the server.
public enum FederatedProof: String, Sendable, Hashable, Codable, CaseIterable {
    /// The person signed in there in the browser that asks, and the provider answered this server's own request.
    case browser
    /// The client presented an ID token issued for it.
    case idToken = "id_token"
    /// The client presented an access token issued for it, and the provider confirmed it.
    case accessToken = "access_token"
    /// The client presented OAuth 1.0 credentials issued for it, and the provider accepted them.
    case oauth1 = "oauth1"
    /// The requesting app presented a provider's access token whose audience cannot be verified. The app authenticated,
    /// and the operator trusts it with that.
    case vouchedToken = "vouched_token"

    /// Whether the requesting app brought the proof itself, so that it is where the person signed in.
    public var isPresented: Bool { self != .browser }
}

/// The second factor that a person proved.
public enum SecondFactor: String, Sendable, Hashable, Codable, CaseIterable {
    /// The password that their authenticator showed, which is used once.
    case oneTimePassword = "one_time_password"
    /// A code that they had written down, which is used once.
    case recoveryCode = "recovery_code"
}

/// A possession factor weaker than the person's own key.
public enum Possession: String, Sendable, Hashable, Codable, CaseIterable {
    /// A device of the legacy protocol, which shares a secret with the requesting client.
    case sharedSecret = "shared_secret"
    /// The one-time password that was sent to their device or telephone number for one request.
    case deliveredPassword = "delivered_password"
    /// The link in the text message that was sent to their telephone number for one request.
    case deliveredLink = "delivered_link"
}

/// The method of a person's authentication.
public enum Authentication: Sendable, Hashable, Codable {
    /// The password of their account at this server.
    case password
    /// The password of their account at this server, and a second factor.
    case passwordAnd(SecondFactor)
    /// A passkey of their account at this server, with user verification by a PIN or a biometric.
    case passkey
    /// A device that they enrolled before, with user verification by a PIN or a biometric.
    case enrolledDevice
    /// Another provider identifies them.
    case federated(issuer: IdentityIssuer, how: FederatedProof)
    /// A possession factor alone.
    case possession(Possession)
    /// The person approved the sign-in of this browser on another device, where they had authenticated before.
    ///
    /// Standard: RFC 10027 §1 (cross-device flow).
    case crossDevice

    /// Whether the person proved it to this server with their account's credentials, and not to another provider or by
    /// a possession factor alone.
    public var isLocal: Bool {
        switch self {
        case .password, .passwordAnd, .passkey, .enrolledDevice: true
        case .federated, .possession, .crossDevice: false
        }
    }

    /// Whether the person proved two factors at this server: possession, and a secret or a biometric.
    public var hasTwoFactors: Bool {
        switch self {
        case .passwordAnd, .passkey, .enrolledDevice: true
        case .password, .federated, .possession, .crossDevice: false
        }
    }
}
