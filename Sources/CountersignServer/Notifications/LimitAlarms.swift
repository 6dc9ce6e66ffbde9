internal import Crypto
internal import FoundationEssentialsCompat

/// Notifies the operator's webhook of shared limits that are reached, by a delivery in the change that counts.
struct LimitAlarms: LimitAlarming {
    /// Queues the notice of a reached limit, once in its span, which ends at `end`.
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

    /// The identifier of a notice, the same at all nodes: a digest of the limit, its key and its span.
    private static func id(of rateKey: RateLimitKey, until end: Date) -> Delivery.ID {
        let name = "\(rateKey.rule.rawValue)\n\(rateKey.whom)\n\(end.timeIntervalSince1970)"
        return Delivery.ID(URLSafeText.encode(Array(SHA256.hash(data: Array(name.utf8)).prefix(16))))
    }
}
