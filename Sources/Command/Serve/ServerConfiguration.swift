internal import Configuration
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
    let settings: ServerSettings

    /// Reads the settings.
    ///
    /// - Throws: a ``CommandError`` for the first setting that keeps the server from starting.
    init(_ settings: ConfigReader) throws {
        exposure = try Exposure(settings)
        logger = try ServeCommand.logger(
            settings.string(forKey: "log-level") ?? "info", as: settings.string(forKey: "log-format") ?? "text")
        var server = exposure.serverSettings
        for setting in Setting.all { try setting.requireNeeded(in: settings) }
        for setting in Setting.all { try setting.apply(settings, &server) }
        server.delivery = try DeliveryConfiguration(settings).delivery(
            from: server.brand.name, over: SystemTransport.make(), clock: .system)
        self.settings = server
    }
}
