internal import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension SignInExchangeRecord {
    /// Notes that every way to reach the person failed. Only requests of sites end by that: a person finds those
    /// of other clients on their account page, too.
    ///
    /// - Returns: Whether the record changed, so that it has to be stored.
    public mutating func noteUndeliverable() -> Bool {
        guard status(at: .distantPast) == .open, case .customerSite(var terms) = method else { return false }
        terms.hasFailed = true
        method = .customerSite(terms)
        return true
    }

    /// The status of a request, as the party that asks and devices of the older dialect read it.
    ///
    ///     open ──▶ approved, denied, expired, failed
    ///
    /// A decision remains when the time is over. A request of a site that could not be delivered has failed,
    /// and can no longer be decided.
    public func status(at now: Date) -> AuthenticationRequest.Status {
        let phase = SignInExchangeColumns(exchange).phase
        switch phase {
        case .approved, .redeemed: return .approved
        case .denied: return .denied
        case .open, .taken:
            if method.hasFailed { return .failed }
            return now < exchange.request.deadline ? .open : .expired
        }
    }
}
