public import Logging
internal import NIOConcurrencyHelpers
public import ServiceLifecycle
internal import FoundationEssentialsCompat

/// Logs the end of the audit at the start, each hour and at the stop of the server, signed by a key outside the
/// database.
///
/// After a rollback of the database the chain is valid but ends too early, and without its oldest entries it begins too
/// late. A head in an external log reveals both.
public struct AuditHeadLog: Service, CustomStringConvertible {
    /// The time between two logged heads, if the audit has grown.
    static let pause = Duration.seconds(3600)

    private let store: any Store
    private let key: AuditSealKey?
    private let clock: TimeSource
    private let logger: Logger

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - store: The store of the server.
    ///   - key: The key that signs; `nil` logs heads without a signature.
    ///   - clock: Dates the signatures, and counts the hours.
    ///   - logger: The log for the heads, which have the level *notice*.
    public init(of store: any Store, sealedBy key: AuditSealKey?, clock: TimeSource, logger: Logger) {
        self.store = store
        self.key = key
        self.clock = clock
        self.logger = logger
    }

    /// The name in the log of the service group.
    public var description: String { "AuditHeadLog" }

    /// Logs until the server stops.
    public func run() async {
        let logged = NIOLockedValueBox<AuditPosition?>(nil)
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let head = await log(unlessItIs: logged.withLockedValue { $0 })
                logged.withLockedValue { $0 = head }
                do { try await clock.sleep(for: Self.pause) } catch { return }
            }
        }
        // The tasks of the server may be cancelled by now, and reading must not be.
        let last = logged.withLockedValue { $0 }
        _ = await Task { [self] in await log(unlessItIs: last) }.value
    }

    /// Logs the head if it differs from `logged`; returns the last logged one.
    func log(unlessItIs logged: AuditPosition?) async -> AuditPosition? {
        do {
            let now = clock.now()
            let extent = try await store.read { try Audit($0).extent(at: now) }
            let head = extent.head
            guard head != logged, head != .beginning else { return logged }
            var facts: Logger.Metadata = ["number": "\(head.number)", "hash": "\(head.hash)"]
            if let key { facts["sealed"] = "\(try key.seal(extent, at: now))" }
            logger.notice("the audit ends here", metadata: facts)
            return head
        } catch is CancellationError {
            // The head is logged again at the stop of the server.
            return logged
        } catch {
            logger.error("the end of the audit was not logged", metadata: ["reason": "\(error)"])
            return logged
        }
    }
}
