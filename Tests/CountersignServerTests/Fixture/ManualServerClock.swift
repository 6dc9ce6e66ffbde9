import CountersignTesting

@testable import CountersignServer

extension ServerClock {
    /// A test's clock as the server takes it: spans are measured by its instants, whatever is done to its date.
    init(by clock: ManualClock) {
        let beginning = clock.instant
        self.init(
            now: clock.now,
            sleep: { try await clock.sleep(for: $0) },
            uptime: { beginning.duration(to: clock.instant) }
        )
    }
}
