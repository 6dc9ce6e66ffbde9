internal import Countersign
internal import CountersignWire
internal import Crypto
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Lets the operator's webhook know of each limit that many share, when it is reached, by a delivery that is stored in
/// the change that counts.
struct LimitAlarms: LimitAlarming {
    /// A limit was reached, whose span ends at `end`. It is told once in its span.
    func tell(of rateKey: RateLimitKey, until end: Date, at now: Date, in repositories: any Repositories) throws {
        let id = Self.id(of: rateKey, until: end)
        guard try repositories.deliveries.find(id) == nil else { return }
        try repositories.deliveries.insert(
            Delivery(
                id: id,
                .limitAlarm(
                    LimitAlarm(of: rateKey.rule.rawValue, client: rateKey.client, reached: now, ends: end)),
                made: now,
                expires: now + DeliveryTimes.webhookLifetime
            )
        )
    }

    /// The same for all nodes and attempts: from the limit, whose it is, and its span.
    private static func id(of rateKey: RateLimitKey, until end: Date) -> Delivery.ID {
        let name = "\(rateKey.rule.rawValue)\n\(rateKey.whom)\n\(end.timeIntervalSince1970)"
        return Delivery.ID(URLSafeText.encode(Array(SHA256.hash(data: Array(name.utf8)).prefix(16))))
    }
}
