public import FoundationEssentialsCompat

extension SignInExchangeRecord {
    /// Notes that no message reached the person. It ends requests of sites only; the account page shows those of
    /// other clients.
    ///
    /// - Returns: Whether the record changed.
    public mutating func noteUndeliverable() -> Bool {
        guard status(at: .distantPast) == .open, case .customerSite(var terms) = method else { return false }
        terms.hasFailed = true
        method = .customerSite(terms)
        return true
    }

    /// The status of a request for sites and devices with the older SDK.
    ///
    ///     open ──▶ approved, denied, expired, failed
    ///
    /// A decision remains after the deadline. An undeliverable request of a site has failed, and can no longer
    /// be decided.
    public func status(at now: Date) -> AuthenticationRequest.Status {
        let phase = SignInExchangeColumns(exchange).phase
        switch phase {
        case .approved, .redeemed: return .approved
        case .denied, .cancelled: return .denied
        case .open, .taken:
            if method.hasFailed { return .failed }
            return now < exchange.request.deadline ? .open : .expired
        }
    }
}
