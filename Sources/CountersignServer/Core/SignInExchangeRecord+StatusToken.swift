internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension SignInExchangeRecord {
    /// The token that tells a site what became of a request; `nil` while it is open, and for other requests.
    ///
    /// It is signed with the secret that the site opened the request with, as long as that is accepted; then
    /// with the newest one.
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
