internal import Countersign

extension PKCEUse {
    /// Says why a client cannot have this setting: a whole sentence, or `nil` when it can.
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
