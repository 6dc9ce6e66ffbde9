import Countersign
import Hummingbird
import HummingbirdTesting
import Logging

@testable import CountersignServer

extension TestServer {
    /// Starts the server again over the same store, as after an update, for the length of `test`.
    ///
    /// - Parameter shared: The same store as several nodes see it; that of this server by default.
    func restarted(
        over shared: (any Store)? = nil,
        _ test: @Sendable (TestServer) async throws -> Void
    ) async throws {
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        let metrics = PrometheusMetrics()
        let again = try AuthorizationServer(
            settings,
            keeping: shared ?? store,
            clock: serverClock,
            random: .system,
            logger: logger,
            measuring: metrics
        )
        let (responder, fastPath) = again.answering()
        let application = Application(
            responder: try HostNaming(base: responder, host: settings.issuer.host),
            logger: logger
        )
        try await application.test(.router) { client in
            try await test(
                TestServer(
                    client: client,
                    server: again,
                    store: store,
                    clock: clock,
                    settings: settings,
                    metrics: metrics,
                    fastPath: fastPath,
                    directory: directory
                )
            )
        }
    }
}
