internal import Configuration
internal import CoreMetrics
internal import Countersign
internal import CountersignServer
internal import CountersignTransport
internal import Foundation
internal import HTTPTypes
internal import Logging

/// The tracer and the exporter that the settings ask for.
struct TraceConfiguration: Sendable {
    let tracer: RecordingTracer
    let export: TraceExport

    /// Reads the settings.
    ///
    /// - Returns: `nil` when no collector is named.
    /// - Throws: a ``CommandError`` for a setting that cannot be used.
    init?(_ settings: ConfigReader, telling logger: Logger, measuring factory: any MetricsFactory) throws {
        guard let address = settings.string(forKey: "trace-endpoint") else { return nil }
        let collector: TraceCollector
        do {
            collector = try TraceCollector(at: address, headers: try Self.headers(settings))
        } catch TraceCollector.AddressError.insecure {
            throw CommandError.usage(
                "trace-headers must not cross a network unencrypted: give trace-endpoint an https address.")
        } catch TraceCollector.AddressError.malformed {
            throw CommandError.usage("The address \(address) of trace-endpoint is no http or https address.")
        }
        let text = settings.string(forKey: "trace-ratio") ?? "1"
        let sampler = try Double(text).flatMap(TraceSampler.init(ratio:)).or(
            usage: "The setting trace-ratio is a number from 0 to 1, as in 0.05; not \(text).")
        let metrics = TraceMetrics(factory)
        let queue = SpanQueue(metrics)
        tracer = RecordingTracer(into: queue, sampling: sampler, drawingFrom: .system)
        export = TraceExport(
            of: queue, to: collector, over: SystemTransport.make(), metrics: metrics, logger: logger,
            by: TraceExport.Sources(clock: .system, random: .system))
    }

    /// The header fields for the collector, from their file or from the environment.
    private static func headers(_ settings: ConfigReader) throws -> HTTPFields {
        let file = try settings.string(forKey: "trace-headers").map { try SuppliedText.secret(in: $0) }
        guard let text = file ?? StoreOptions.environment[Setting.variable("trace-secret")] else { return [:] }
        return try TraceCollector.headers(parsing: text).or(
            failure: "The header fields of trace-headers are not name=value with commas between.")
    }
}
