// The objections to registrations.

extension PKCEUse {
    /// The objection to a client with this setting, in a sentence; `nil` for none.
    ///
    /// Standard: RFC 9700 §2.1.1 lets only confidential clients rely on the nonce.
    ///
    /// - Parameter client: The registration to judge.
    public func objection(to client: Client) -> String? {
        guard self == .optional else { return nil }
        if client.kind == .public {
            return "PKCE is optional only for a client with a secret, keys or a certificate."
        }
        if client.redirects.profile != nil { return "PKCE is not optional with a security profile." }
        guard !client.redirects.redirectURIs.isEmpty else {
            return "PKCE is optional only for a client with a redirect URI."
        }
        if let address = client.redirects.redirectURIs.first(where: { !RedirectURIRules.isClaimed($0) }) {
            return "PKCE is optional only for https addresses of other machines, and \(address) is another address."
        }
        guard client.scope.contains(.openid) else {
            return "PKCE is optional only for a client that may ask for openid, whose nonce takes its place."
        }
        return nil
    }
}

extension BackchannelRegistration {
    /// The objection to a client with this registration, in a sentence; `nil` for none.
    ///
    /// - Parameter client: The registration to judge, with this as its part.
    package func objection(to client: Client) -> String? {
        guard client.grantTypes.contains(.backchannelAuthentication) else { return nil }
        if client.kind == .public {
            return "Requests over the back channel need a client with a secret, keys or a certificate."
        }
        if deliveryMode.isNotified, notificationEndpoint == nil {
            return "The modes ping and push need an address to which the server sends notifications."
        }
        if deliveryMode == .push, client.rules.requiresKey {
            return "Tokens that are pushed cannot be bound to a key: use poll or ping."
        }
        if let signingAlgorithm {
            guard let keys = client.signingKeys else { return "Signed requests need keys." }
            guard client.rules.algorithms.names.contains(signingAlgorithm),
                keys.keys.contains(where: { $0.algorithm == nil || $0.algorithm == signingAlgorithm })
            else { return "None of the client's keys signs by \(signingAlgorithm)." }
        }
        if client.redirects.profile == .fapi2, client.signingKeys == nil {
            return "The profile fapi2 needs a client with keys for requests over the back channel, which it must sign."
        }
        return nil
    }
}

extension SecurityProfile {
    /// The objection to a client with this profile, in a sentence; `nil` for none.
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
