internal import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The way to let the operator know of a limit that many share.
protocol LimitAlarming: Sendable {
    /// A limit was reached, whose span ends at `end`. It is told once in its span.
    func tell(of rateKey: RateLimitKey, until end: Date, at now: Date, in repositories: any Repositories) throws
}

/// Lets no operator know.
struct NoAlarms: LimitAlarming {
    func tell(of _: RateLimitKey, until _: Date, at _: Date, in _: any Repositories) {}
}
