internal import Countersign
internal import CountersignWire

/// A set of demands on a client and its requests that an operator, or the law, may want to be met together.
public enum SecurityProfile: String, Sendable, Equatable, Codable, CaseIterable {
    /// For banks and others who hold much: pushed requests, keys in place of secrets, and tokens that are bound to a
    /// key.
    ///
    /// Standard: FAPI 2.0 Security Profile (Final) §5.
    case fapi2
}

extension SecurityProfile {
    /// Says why a client cannot have this profile: a whole sentence, or `nil` when it can.
    ///
    /// Standard: FAPI 2.0 Security Profile §5.3.2.1, §5.3.2.2, §5.4.1.
    ///
    /// - Parameter client: The registration to judge.
    public func objection(to client: Client) -> String? {
        switch self {
        case .fapi2:
            let grants: [GrantType] = [
                .authorizationCode, .refreshToken, .clientCredentials, .backchannelAuthentication,
            ]
            switch client.kind {
            case .certificate, .keys: break
            case .public, .confidential: return "The profile fapi2 needs a client with keys or a certificate."
            }
            if let keys = client.signingKeys?.keys,
                keys.allSatisfy({ $0.algorithm == SigningAlgorithm.rs256.rawValue })
            {
                return "The profile fapi2 needs a key for ES256 or PS256."
            }
            if let grant = client.grantTypes.first(where: { !grants.contains($0) }) {
                let names = grants.map(\.rawValue).joined(separator: ", ")
                return
                    "The profile fapi2 does not have the grant \(grant): name those that the client uses of \(names)."
            }
            if let address = client.redirects.redirectURIs.first(where: { !$0.hasPrefix("https://") }) {
                return "The profile fapi2 needs https, and \(address) is another address."
            }
            if client.tokenFormat == .rs256 { return "The profile fapi2 does not have the token format RS256." }
            if client.idTokenAlgorithm == .rs256 { return "The profile fapi2 does not have ID tokens by RS256." }
            return nil
        }
    }
}
