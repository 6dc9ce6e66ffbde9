internal import Countersign
internal import CoreMetrics
public import Logging
internal import ServiceLifecycle
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Checks every few seconds whether the files of the certificate changed.
struct CertificateWatch: NamedService {
    let certificate: ServerCertificate
    let clock: TimeSource
    let logger: Logger
    /// The gauge with the expiry of the certificate.
    let meter: Meter

    /// The time between two checks.
    static let pace: Duration = .seconds(5)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                meter.set(certificate.expires.timeIntervalSince1970)
                do { try await clock.sleep(for: Self.pace) } catch { return }
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
