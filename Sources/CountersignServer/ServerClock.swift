internal import Dispatch
public import Foundation

/// The server's time, handed in so that tests can move it.
public struct ServerClock: Sendable {
    /// The present instant.
    public let now: @Sendable () -> Date
    /// Waits for a span; throws when the waiting task is cancelled.
    public let sleep: @Sendable (Duration) async throws -> Void

    /// How long it has been since some moment in the past: for measuring spans, whatever is done to the clock.
    public let uptime: @Sendable () -> Duration

    /// A clock. Without an `uptime` of its own it measures spans by `now`.
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
