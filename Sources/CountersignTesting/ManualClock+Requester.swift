public import CountersignRequester

extension ManualClock {
    /// This clock as a requester takes it.
    public var forRequester: RequesterClock {
        RequesterClock(
            now: {
                let both = self.both
                return Moment(instant: both.instant, date: both.date)
            },
            sleep: { try await self.sleep(until: $0) }
        )
    }

    /// This clock as a requester takes it, where every sleep makes time pass instead of waiting for it.
    ///
    /// For whole stories with one task that sleeps: they run through by themselves, and the clock shows how long they
    /// would have taken.
    public var skipping: RequesterClock {
        RequesterClock(
            now: forRequester.now,
            sleep: { instant in
                try Task.checkCancellation()
                self.advance(to: instant)
            }
        )
    }
}
