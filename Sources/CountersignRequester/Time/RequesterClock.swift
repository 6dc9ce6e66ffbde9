#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The time as the requester sees it: handed in, so that tests need not wait.
public struct RequesterClock: Sendable {
    /// Reads both clocks at once.
    public let now: @Sendable () -> Moment
    /// Waits until an instant; returns early only by throwing, when its task is cancelled.
    public let sleep: @Sendable (_ until: ContinuousClock.Instant) async throws -> Void

    /// A clock made of a reading and a way to wait.
    public init(
        now: @escaping @Sendable () -> Moment,
        sleep: @escaping @Sendable (_ until: ContinuousClock.Instant) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// The clocks of this machine: the one place of this target that reads them.
    public static let system = RequesterClock(
        now: { Moment(instant: ContinuousClock.now, date: Date()) },
        sleep: { try await Task.sleep(until: $0, clock: .continuous) }
    )
}

extension RequesterClock {
    /// Waits until `instant`; cancelling the task ends it at once.
    ///
    /// - Throws: ``SignInError`` `cancelled`.
    func rest(until instant: ContinuousClock.Instant) async throws(SignInError) {
        do {
            try await sleep(instant)
        } catch {
            throw SignInError(.cancelled, because: "the task was cancelled")
        }
    }
}
