/// The description of one metric, for the people who read it.
public struct MetricDescription: Sendable {
    /// The metric's name as Prometheus reads it.
    public let name: String
    /// One sentence, written above the figures.
    public let help: String
    /// The names of its labels.
    public let labels: [String]
    /// The upper bounds of a distribution's buckets, in the metric's own unit (seconds for a timer); empty for other
    /// metrics.
    public let bounds: [Double]

    /// Creates a description.
    public init(_ name: String, _ help: String, labels: [String] = [], bounds: [Double] = []) {
        self.name = name
        self.help = help
        self.labels = labels
        self.bounds = bounds
    }

    /// From half a millisecond to ten seconds.
    static let latencies = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
    /// From one to 512 things at once.
    static let batches: [Double] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

    /// Every metric of a server; `Scripts/check-metrics.py` compares the documentation, the board and the alerts with it.
    public static let all: [MetricDescription] = [
        MetricDescription(
            "countersign_http_requests_total",
            "Requests answered, by route, method and class of status.",
            labels: ["route", "method", "status"]
        ),
        MetricDescription(
            "countersign_http_request_duration_seconds",
            "Time from a request to its answer, by route; without requests that were held open.",
            labels: ["route"],
            bounds: latencies
        ),
        MetricDescription(
            "countersign_http_requests_in_flight",
            "Requests that are being answered, held ones included."
        ),
        MetricDescription("countersign_requests_waiting", "Token requests that are held open until a person decides."),
        MetricDescription(
            "countersign_wait_duration_seconds",
            "Time for which token requests were held open.",
            bounds: [0.1, 0.5, 1, 2.5, 5, 10, 20, 30, 60]
        ),
        MetricDescription(
            "countersign_tokens_issued_total", "Token answers given, by grant type.", labels: ["grant_type"]),
        MetricDescription(
            "countersign_sign_ins_decided_total",
            "Requests for sign-in that a person approved or denied.",
            labels: ["decision"]
        ),
        MetricDescription(
            "countersign_requests_reported_total",
            "Requests for sign-in that a person reported: they did not start them."
        ),
        MetricDescription("countersign_inboxes_waiting", "Requests of enrolled devices that are held open."),
        MetricDescription(
            "countersign_limits_hit_total", "How often a limit was reached, by its name.", labels: ["limit"]),
        MetricDescription(
            "countersign_limits_flooded_total",
            "How often a limit that holds for everybody together was reached, by its name.",
            labels: ["limit"]
        ),
        MetricDescription(
            "countersign_deliveries_total",
            "Attempts to send text messages, mails, push messages and calls of customers' servers, by kind and outcome.",
            labels: ["kind", "outcome"]
        ),
        MetricDescription("countersign_password_hashes_waiting", "Passwords being hashed, or in the queue for it."),
        MetricDescription(
            "countersign_password_hash_duration_seconds",
            "Time to hash a password, the wait in the queue included.",
            bounds: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
        ),
        MetricDescription(
            "countersign_store_commit_changes",
            "Changes that one commit made durable.",
            bounds: batches
        ),
        MetricDescription(
            "countersign_store_commit_duration_seconds",
            "Time that one commit took, from its first change to the disk.",
            bounds: latencies
        ),
        MetricDescription(
            "countersign_store_snapshot_reads",
            "Look-ups that one snapshot of the database answered.",
            bounds: batches
        ),
        MetricDescription(
            "countersign_store_failures_total", "Reads and changes that the database itself failed.",
            labels: ["operation"]),
        MetricDescription(
            "countersign_tls_certificate_expires_seconds",
            "When the TLS certificate ends, as Unix time."
        ),
        MetricDescription(
            "countersign_trace_spans_total",
            "Recorded spans, by outcome: exported, failed (not taken by the collector), dropped (the queue was full).",
            labels: ["outcome"]
        ),
    ]
}
