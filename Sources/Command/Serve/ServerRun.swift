internal import Countersign
internal import CountersignServer
internal import Foundation
internal import Hummingbird
internal import Logging
internal import NIOConcurrencyHelpers
internal import ServiceLifecycle
internal import UnixSignals

/// Runs the server until it is stopped.
///
/// The first SIGTERM or SIGINT lets it take no more connections and answer what it has begun, after a drain if there is
/// one; a signal that comes some seconds later goes one step further, see ``StopSignals``. SIGHUP stops it too where it was started on a terminal, and
/// otherwise lets it check for a new certificate, see ``HangUp``.
struct ServerRun: Sendable {
    /// The services that run; the first one ends last.
    let services: [any Service]
    let certificate: ServerCertificate?
    /// The reaction to SIGHUP.
    let onHangUp: HangUp.Action
    let drain: Drain
    let logger: Logger

    /// The time before the server stops in which load balancers learn to send requests elsewhere.
    struct Drain: Sendable {
        /// Its length; zero for none.
        let length: Duration
        let begin: @Sendable () -> Void
    }

    /// The time for running requests to end once the server is stopped.
    static let longestEnding: Duration = .seconds(20)
    /// The time for the process to end after that, in seconds.
    private static let lastSeconds: UInt32 = 5

    private enum Event: Sendable {
        case ended
        case overdue
        case calm
    }

    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: services.map { .init(service: $0) }, logger: logger)
        )
        let received = NIOLockedValueBox(StopSignals(draining: drain.length > .zero))
        let (drains, draining) = AsyncStream.makeStream(of: Void.self)
        let (stops, stopping) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Event.self) { tasks in
            tasks.addTask {
                try await group.run()
                return .ended
            }
            tasks.addTask {
                for await signal in signals {
                    guard signal != .sighup || onHangUp == .stop else {
                        certificate?.reload(isAsked: true, telling: logger)
                        continue
                    }
                    switch received.withLockedValue({ $0.receive(at: TimeSource.system.instant()) }) {
                    case .drain:
                        drain.begin()
                        logger.notice("draining", metadata: ["signal": "\(signal)"])
                        draining.finish()
                    case .stop:
                        logger.notice("stopping", metadata: ["signal": "\(signal)"])
                        stopping.finish()
                        await group.triggerGracefulShutdown()
                    case .ignore:
                        break
                    case .endNow:
                        Terminal.complain("stopped at once, without answering what was begun.")
                        _exit(128 + signal.rawValue)
                    }
                }
                return .calm
            }
            tasks.addTask {
                for await _ in drains {}
                do { try await TimeSource.system.sleep(for: drain.length) } catch { return .calm }
                guard received.withLockedValue({ $0.endDrain(at: TimeSource.system.instant()) }) == .stop else {
                    return .calm
                }
                logger.notice("stopping")
                stopping.finish()
                await group.triggerGracefulShutdown()
                return .calm
            }
            tasks.addTask {
                for await _ in stops {}
                do { try await TimeSource.system.sleep(for: Self.longestEnding) } catch { return .calm }
                return .overdue
            }
            while let event = try await tasks.next() {
                switch event {
                case .calm: continue
                case .ended: tasks.cancelAll()
                case .overdue:
                    logger.warning("closed what took too long to end")
                    alarm(Self.lastSeconds)
                    tasks.cancelAll()
                }
            }
        }
        alarm(0)
        logger.notice("stopped")
    }
}

/// One listening address of the program.
struct Listener: NamedService {
    let application: any ApplicationProtocol
    let address: ListenAddress

    var description: String { "Listener on \(address)" }

    func run() async throws {
        do {
            try await application.run()
        } catch is CancellationError {
            return
        } catch {
            throw address.failure(error) ?? error
        }
    }
}
