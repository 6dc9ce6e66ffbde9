public import Countersign
public import CoreMetrics
internal import CountersignWire

/// The counters and timers of the server, through swift-metrics.
///
/// Every instrument is created once; a request only adds to it. Names and meanings are those of
/// ``MetricDescription/all``.
struct ServerMetrics: Sendable {
    let factory: any MetricsFactory
    let inFlight: Meter
    let waiting: Meter
    let waited: Timer
    let approved: Counter
    let denied: Counter
    let reported: Counter
    let inboxesWaiting: Meter
    private let issued: [GrantType: Counter]

    init(_ factory: any MetricsFactory) {
        self.factory = factory
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
    func tokensIssued(_ grantType: GrantType) {
        issued[grantType]?.increment()
    }

    /// Notes what became of an attempt to send a message.
    func delivered(_ kind: String, _ outcome: String) {
        let dimensions = [("kind", kind), ("outcome", outcome)]
        Counter(label: "countersign_deliveries_total", dimensions: dimensions, factory: factory).increment()
    }
}

/// The number of passwords that wait to be hashed, and the time until they are.
public struct PasswordMetrics: Sendable {
    private let waiting: Meter
    private let duration: Timer
    private let clock: TimeSource

    /// Counts in `factory`, and measures spans by `clock`.
    public init(_ factory: any MetricsFactory, by clock: TimeSource) {
        waiting = Meter(label: "countersign_password_hashes_waiting", factory: factory)
        duration = Timer(label: "countersign_password_hash_duration_seconds", factory: factory)
        self.clock = clock
    }

    /// Notes that a password begins to wait; returns the current instant.
    func begin() -> ContinuousClock.Instant {
        waiting.increment()
        return clock.instant()
    }

    /// Notes that a password was hashed; it began to wait at `start`.
    func hashed(since start: ContinuousClock.Instant) {
        duration.record(clock.instant() - start)
    }

    /// Notes that a password waits no longer: it was hashed, or refused.
    func end() {
        waiting.decrement()
    }
}
