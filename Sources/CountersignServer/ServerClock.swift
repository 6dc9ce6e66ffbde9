internal import Dispatch
public import Foundation

/// The server's time, handed in so that tests can control it.
public struct ServerClock: Sendable {
    /// Returns the current time.
    public let now: @Sendable () -> Date
    /// Waits for a duration; throws `CancellationError` when the waiting task is cancelled.
    public let sleep: @Sendable (Duration) async throws -> Void

    /// Returns the time since a fixed moment in the past: for measuring durations, unaffected by changes of the clock.
    public let uptime: @Sendable () -> Duration

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - now: Returns the current time.
    ///   - sleep: Waits for a duration; throws when its task is cancelled.
    ///   - uptime: Returns the time since a fixed moment; derived from `now` by default.
    public init(
        now: @escaping @Sendable () -> Date,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        uptime: (@Sendable () -> Duration)? = nil
    ) {
        self.now = now
        self.sleep = sleep
        self.uptime = uptime ?? { .seconds(now().timeIntervalSinceReferenceDate) }
    }

    /// The machine's own clock.
    public static let system = ServerClock(
        now: { Date() },
        sleep: { try await Task.sleep(for: $0, clock: .continuous) },
        uptime: { .nanoseconds(Int64(clamping: DispatchTime.now().uptimeNanoseconds)) }
    )
}
