public import Foundation

/// The server's time, handed in so that tests can move it.
public struct ServerClock: Sendable {
    /// The present instant.
    public let now: @Sendable () -> Date
    /// Waits for a span; throws when the waiting task is cancelled.
    public let sleep: @Sendable (Duration) async throws -> Void

    public init(
        now: @escaping @Sendable () -> Date,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// The machine's own clock.
    public static let system = ServerClock(
        now: { Date() },
        sleep: { try await Task.sleep(for: $0, clock: .continuous) }
    )
}
