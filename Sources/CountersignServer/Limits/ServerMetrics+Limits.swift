internal import CoreMetrics

extension ServerMetrics {
    /// Notes that a limit was reached.
    func limitHit(_ rule: LimitRule) {
        let dimensions = [("limit", rule.rawValue)]
        Counter(label: "countersign_limits_hit_total", dimensions: dimensions, factory: factory).increment()
    }

    /// Notes that a shared limit was reached.
    func limitFlooded(_ rule: LimitRule) {
        let dimensions = [("limit", rule.rawValue)]
        Counter(label: "countersign_limits_flooded_total", dimensions: dimensions, factory: factory).increment()
    }
}
