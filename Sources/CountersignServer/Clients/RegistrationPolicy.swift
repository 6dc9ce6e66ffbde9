/// The rules of `/register`: the parties that may register clients, and the rights of these clients.
///
/// Standard: RFC 7591 §1.2, §5.
public struct RegistrationPolicy: Sendable, Equatable {
    /// The parties that may register clients.
    public enum Access: String, Sendable, Equatable, CaseIterable {
        /// A party with an initial access token, which an operator minted.
        case token
        /// Anybody.
        case open
    }

    /// The parties that may register clients.
    public var access: Access
    /// The scope that clients may request in addition to ``leastScope``.
    public var scope: Scope
    /// Whether clients may authenticate by certificates: whether the server has ``ServerSettings/mutualTLS``.
    var takesCertificates = false

    /// Creates a policy.
    public init(access: Access, scope: Scope = .none) {
        self.access = access
        self.scope = scope
    }

    /// The scope of every self-registered client.
    public static let leastScope = Scope([.openid, .profile, .offlineAccess])
    /// The grant types of every self-registered client.
    private static let leastGrantTypes: [GrantType] = [.authorizationCode, .refreshToken]

    /// The scope that a client may request.
    func scope(with allowance: RegistrationAllowance?) -> Scope {
        let added = (scope.words + (allowance?.scope.words ?? [])).filter { !Self.leastScope.contains($0) }
        return Scope(Self.leastScope.words + added)
    }

    /// The grant types that a client may have.
    func grantTypes(with allowance: RegistrationAllowance?) -> [GrantType] {
        guard let allowance else { return Self.leastGrantTypes }
        // Device codes and CIBA enable phishing, so only clients with an initial access token may use them.
        var types = Self.leastGrantTypes + [.deviceCode, .backchannelAuthentication]
        if allowance.clientCredentials { types.append(.clientCredentials) }
        return types
    }
}
