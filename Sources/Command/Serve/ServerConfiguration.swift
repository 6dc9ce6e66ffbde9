internal import Configuration
internal import CoreMetrics
internal import Countersign
internal import CountersignServer
internal import CountersignTransport
internal import Logging

/// The values that `serve` reads from its settings, and from the files that they name, before it opens the store.
/// `doctor` reads the same.
struct ServerConfiguration: Sendable {
    /// The addresses and certificates of the server.
    let exposure: Exposure
    let logger: Logger
    /// The form of the logger's lines.
    let logForm: LogForm
    let settings: ServerSettings
    /// Sends the spans to a collector; `nil` when none is named.
    let traces: TraceExport?
    /// The time before the server stops in which load balancers learn of it.
    let drainTime: Duration

    /// Reads the settings.
    ///
    /// - Parameter factory: Counts the spans.
    /// - Throws: a ``CommandError`` for the first setting that keeps the server from starting.
    init(_ settings: ConfigReader, measuring factory: any MetricsFactory = NOOPMetricsHandler.instance) throws {
        exposure = try Exposure(settings)
        let level = try settings.string(forKey: "log-level").map { try ServeCommand.logLevel($0) } ?? .info
        logForm = try settings.string(forKey: "log-format").map { try ServeCommand.logForm($0) } ?? .text
        logger = ServeCommand.logger(level, as: logForm)
        var server = exposure.serverSettings
        for setting in Setting.all { try setting.requireNeeded(in: settings) }
        for setting in Setting.all { try setting.apply(settings, &server) }
        let traces = try TraceConfiguration(settings, telling: logger, measuring: factory)
        self.traces = traces?.export
        server.tracer = traces?.tracer
        let tracing = traces.map { ServerTracing($0.tracer, by: .system) }
        server.delivery = try DeliveryConfiguration(settings, tracing: tracing).delivery(
            from: server.brand.name, over: SystemTransport.make().traced(by: tracing), clock: .system)
        self.settings = server
        drainTime = .seconds(try settings.wholeNumber("drain-time", in: 0...600) ?? 0)
    }
}
