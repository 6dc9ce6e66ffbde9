internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes

/// The server of a customer, which proved by a token that it knows the secret of its site; made by
/// ``CustomerSiteAuthentication`` alone.
struct AuthenticatedCustomerSite: Sendable {
    let environment: CustomerSite
    let client: Client
    /// The secret that it used.
    let secret: CustomerSiteSecretReference

    fileprivate init(_ environment: CustomerSite, _ client: Client, by secret: CustomerSiteSecret) {
        self.environment = environment
        self.client = client
        self.secret = CustomerSiteSecretReference(to: secret)
    }
}

/// Authenticates the servers of customers by tokens of HS256.
///
/// An unknown site and a wrong secret are answered alike, take the same steps, and count alike. A token has no
/// identifier: two requests of one second with the same body have the same token, so it cannot be good for one call
/// only. What a copy could do within its minute is bounded by the limits: it opens another request, or repeats a guess.
/// Standard: the dialect of CM Authenticator SDK 4.0 (``CustomerSiteToken``).
struct CustomerSiteAuthentication: Sendable {
    let services: FlowServices

    /// Used in place of the secret of a site that does not exist.
    private static let placeholder = CustomerSiteSecret(revealing: "no environment")

    /// The site, if the token is good for the call.
    ///
    /// - Parameters:
    ///   - id: The site that the call names.
    ///   - token: The token in the header; `nil` when there is none.
    ///   - demands: The demands of the call on the token.
    ///   - address: The network address of the call; `nil` where it cannot be seen.
    /// - Throws: ``CustomerSiteAPIError`` of status 401; ``RateLimitError``; ``StoreUnavailableError``.
    func authenticated(
        _ id: CustomerSiteID,
        presenting token: CustomerSiteToken,
        meeting demands: CustomerSiteToken.Demands,
        from address: String?
    ) async throws -> AuthenticatedCustomerSite {
        let keys = try await services.keys.current()
        do {
            return try await services.store.find { [self] repositories in
                let environment = try repositories.environments.find(id)
                let client = try repositories.clients.find(ClientID(id.rawValue))
                return try proved(environment, client, by: token, meeting: demands, trusting: keys)
            }
        } catch let refusal as CustomerSiteToken.VerificationError {
            try await services.wrongProofs.refuse(from: address)
            throw CustomerSiteAPIError.unauthorized(because: Self.reason(for: refusal, demanding: demands))
        }
    }

    /// The reason why a token is refused, for the log.
    private static func reason(
        for refusal: CustomerSiteToken.VerificationError,
        demanding demands: CustomerSiteToken.Demands
    ) -> String {
        switch refusal {
        case .lifetime: "token refused: lifetime, exp is not within \(demands.longestLife) s after iat"
        case .malformed, .signature, .time, .request, .body: "token refused: \(refusal)"
        }
    }

    /// - Throws: ``CustomerSiteToken/VerificationError``, that by the current secret.
    private func proved(
        _ environment: CustomerSite?,
        _ client: Client?,
        by token: CustomerSiteToken,
        meeting demands: CustomerSiteToken.Demands,
        trusting keys: Keys
    ) throws -> AuthenticatedCustomerSite {
        let now = services.clock.now()
        guard let environment, let client else {
            try token.verify(by: Self.placeholder, meeting: demands, at: now)
            throw CustomerSiteToken.VerificationError.signature
        }
        var first: CustomerSiteToken.VerificationError?
        for secret in keys.secrets(of: environment, at: now) {
            do throws(CustomerSiteToken.VerificationError) {
                try token.verify(by: secret, meeting: demands, at: now)
                return AuthenticatedCustomerSite(environment, client, by: secret)
            } catch {
                first = first ?? error
            }
        }
        throw first ?? .signature
    }
}
