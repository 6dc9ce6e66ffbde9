internal import Hummingbird
internal import Logging
public import ServiceLifecycle
public import UnixSignals

/// A server as a program to run: it answers until it is told to stop, then finishes what it began.
///
/// Requests that are held open are answered at once when it stops; they would keep their connections, and so the
/// program, for as long as they wait.
public struct AuthorizationService: Service {
    let application: any ApplicationProtocol
    let waits: DecisionWaits

    public func run() async throws {
        try await withGracefulShutdownHandler {
            try await application.run()
        } onGracefulShutdown: {
            waits.close()
        }
    }

    /// Runs until the process gets one of `signals`.
    public func runService(gracefulShutdownSignals signals: [UnixSignal] = [.sigterm, .sigint]) async throws {
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [self],
                gracefulShutdownSignals: signals,
                logger: application.logger
            )
        )
        try await group.run()
    }
}
