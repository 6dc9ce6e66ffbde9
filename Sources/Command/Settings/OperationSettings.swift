internal import Configuration
internal import Countersign
internal import CountersignServer
internal import Foundation

/// The settings for those who run the server: limits, memory, logs and the audit.
enum OperationSettings: SettingSection {
    static let settings = [
        Setting(
            "limits", takes: "name=10/60",
            "A limit: so many times in so many seconds, or off. Repeat it for others. (see Documentation/Limits.md)",
            form: .limits
        ) {
            $1.limits = try LimitSettings.limits(in: $0)
        },
        Setting(
            "memory", takes: "bytes",
            """
            How much memory the server may use, as in 512M or 2G. A smaller limit of its control group counts instead. \
            (default: that limit, or the memory of the machine)
            """
        ) { settings, server in
            let memory = try memory(in: settings)
            let room = memory.room(forAtMost: FileLimit.connections(), isEncrypted: server.certificate != nil)
            server.passwordsAtOnce = memory.passwordsAtOnce
            server.connections = ConnectionLimits(room: room)
        },
        Setting(
            "operations-listen", takes: "host:port",
            "Where to answer /metrics, /health/live and /health/ready besides; only your own machines should reach it."),
        Setting(
            "drain-time", takes: "seconds",
            """
            How long the server goes on after SIGTERM while /health/ready answers 503, so that load balancers send \
            requests elsewhere. (default: 0)
            """,
            form: .number
        ),
        Setting(
            "log-level", takes: "level",
            "How much to log: trace, debug, info, notice, warning, error, critical. (default: info)"),
        Setting("log-format", takes: "form", "How log lines are written: text or json. (default: text)"),
        Setting(
            "trace-endpoint", takes: "url",
            "The collector that gets the spans of requests, by OTLP over HTTP; /v1/traces is added. (default: nowhere)"),
        Setting(
            "trace-ratio", takes: "share",
            """
            The share of the traces that is recorded, from 0 to 1; what a trusted proxy or this machine decided stands. \
            (default: 1)
            """,
            needs: "trace-endpoint"),
        Setting(
            "trace-headers", takes: "file",
            "A file with header fields for the collector, such as its key: name=value, with commas between.",
            form: .secretFile(replacedBy: "trace-secret"), needs: "trace-endpoint"),
        Setting(
            "audit-lifetime", takes: "days", "How long an entry of the audit is kept, in days. (default: 400)",
            form: .number
        ) {
            $1.auditLifetime = try $0.auditLifetime()
        },
        Setting(
            "audit-key", takes: "file",
            "The key that signs where the audit ends, as PEM; made if missing. (default: audit-key.pem beside the database)"
        ),
    ]

    /// The limit of the control group or of the settings, whichever is smaller; without both, the machine's memory.
    private static func memory(in settings: ConfigReader) throws -> MemoryLimit {
        let bytes = try settings.string(forKey: "memory").map { text in
            try MemoryLimit.bytes(parsing: text).flatMap { $0 < 64 << 20 ? nil : $0 }.or(
                usage: "The setting memory is a number of bytes, as in 512M or 2G; at least 64M.")
        }
        return MemoryLimit(asked: bytes) { path in
            FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
