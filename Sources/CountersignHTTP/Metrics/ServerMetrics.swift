package import CoreMetrics
package import CountersignWire

/// The counters and timers of the server, through swift-metrics, and its spans, through swift-distributed-tracing.
///
/// Every instrument is created once; a request only adds to it. Names and meanings are those of
/// ``MetricDescription/all``.
package struct ServerMetrics: Sendable {
    package let factory: any MetricsFactory
    /// Makes the spans; `nil` when there are none.
    package let tracing: ServerTracing?
    let inFlight: Meter
    package let waiting: Meter
    let waited: Timer
    package let approved: Counter
    package let denied: Counter
    package let reported: Counter
    package let inboxesWaiting: Meter
    private let issued: [GrantType: Counter]

    package init(_ factory: any MetricsFactory, tracing: ServerTracing? = nil) {
        self.factory = factory
        self.tracing = tracing
        inFlight = Meter(label: "countersign_http_requests_in_flight", factory: factory)
        waiting = Meter(label: "countersign_requests_waiting", factory: factory)
        waited = Timer(label: "countersign_wait_duration_seconds", factory: factory)
        let decided = "countersign_sign_ins_decided_total"
        approved = Counter(label: decided, dimensions: [("decision", "approved")], factory: factory)
        denied = Counter(label: decided, dimensions: [("decision", "denied")], factory: factory)
        reported = Counter(label: "countersign_requests_reported_total", factory: factory)
        inboxesWaiting = Meter(label: "countersign_inboxes_waiting", factory: factory)
        issued = Dictionary(
            uniqueKeysWithValues: Self.grantTypes.map { type, name in
                let label = "countersign_tokens_issued_total"
                return (type, Counter(label: label, dimensions: [("grant_type", name)], factory: factory))
            }
        )
    }

    /// The names of grant types in metrics.
    private static let grantTypes: [(GrantType, String)] =
        GrantType.known.map { ($0, $0.rawValue.split(separator: ":").last.map(String.init) ?? $0.rawValue) } + [
            (.crossPlatformClientCredentials, "cpa_client_credentials"), (.crossPlatformDeviceCode, "cpa_device_code"),
        ]

    /// Notes that tokens were issued.
    package func tokensIssued(_ grantType: GrantType) {
        issued[grantType]?.increment()
    }

    /// Notes the outcome of an attempt to send a message.
    package func delivered(_ kind: String, _ outcome: String) {
        let dimensions = [("kind", kind), ("outcome", outcome)]
        Counter(label: "countersign_deliveries_total", dimensions: dimensions, factory: factory).increment()
    }
}
