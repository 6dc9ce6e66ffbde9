public import CountersignNearby

extension ManualClock {
    /// This clock as both ends of a nearby link take it.
    public var forNearby: NearbyClock {
        NearbyClock(instant: { self.instant }, date: now, sleep: { try await self.sleep(until: $0) })
    }
}
