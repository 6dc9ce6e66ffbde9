package import Countersign
package import CoreMetrics
internal import FoundationEssentialsCompat
public import Logging
internal import ServiceLifecycle

/// Reads the files of the certificate again when they changed, and looks every few seconds.
package struct CertificateWatch: NamedService {
    /// The time between two checks.
    private static let interval: Duration = .seconds(5)

    private let certificate: ServerCertificate
    private let clock: TimeSource
    private let logger: Logger
    private let meter: Meter

    /// Creates a watch, which shows in `meter` when the certificate expires, in seconds since 1970.
    package init(certificate: ServerCertificate, clock: TimeSource, logger: Logger, meter: Meter) {
        self.certificate = certificate
        self.clock = clock
        self.logger = logger
        self.meter = meter
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                meter.set(certificate.expires.timeIntervalSince1970)
                do { try await clock.sleep(for: Self.interval) } catch { return }
                certificate.reload(telling: logger)
            }
        }
    }
}

extension ServerCertificate {
    /// Reads a new pair if the files changed, or in any case when `isAsked`, and logs the result.
    public func reload(isAsked: Bool = false, telling logger: Logger) {
        do {
            guard try reload(isAsked: isAsked) else { return }
            logger.notice("took the new TLS certificate", metadata: ["until": "\(expires.formatted(.iso8601))"])
        } catch {
            logger.error(
                "kept the old TLS certificate: the new one cannot be used",
                metadata: ["problem": "\(error)", "reason": "\(error.reason)"]
            )
        }
    }
}
