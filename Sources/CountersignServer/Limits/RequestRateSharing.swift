internal import Logging
internal import ServiceLifecycle

/// Shares the counts of this node with the other nodes every second.
struct RequestRateSharing: NamedService {
    let requestLimiter: RequestRateLimiter
    let clock: TimeSource
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { try await clock.sleep(for: .seconds(1)) } catch { return }
                do {
                    try await requestLimiter.share()
                } catch is CancellationError {
                    return
                } catch {
                    logger.error("counts could not be shared", metadata: ["reason": "\(error)"])
                }
            }
        }
    }
}
