internal import FoundationEssentialsCompat

extension SignInExchangeRecord {
    /// The status token of a request for its site; `nil` while it is open, and for other requests.
    ///
    /// Its secret is that of the request's opening while that is accepted, and then the newest one.
    func statusToken(under keys: Keys, at now: Date, in repositories: any Repositories) throws -> String? {
        let status = self.status(at: now)
        guard status != .open, case .customerSite(let terms) = method,
            let environment = try repositories.environments.find(terms.environment)
        else { return nil }
        let secrets = keys.secrets(of: environment, at: now)
        let used = secrets.first { CustomerSiteSecretReference(to: $0) == terms.secret }
        guard let secret = used ?? secrets.first else { return nil }
        return StatusToken.text(
            about: AuthenticationRequest.ID(id.rawValue), being: status, by: secret, at: now)
    }
}
