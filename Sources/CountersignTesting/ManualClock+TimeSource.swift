public import Countersign

extension ManualClock {
    /// This clock in the form that everything in the project takes: a sleep lasts until the test advances the clock.
    public var source: TimeSource {
        TimeSource(reading: { self.moment }, sleeping: { try await self.sleep(until: $0) })
    }

    /// This clock as a source where every sleep makes time pass instead of waiting for it.
    ///
    /// For whole stories with one task that sleeps: they run through by themselves, and the clock shows how long they
    /// would have taken.
    public var skipping: TimeSource {
        TimeSource(
            reading: { self.moment },
            sleeping: { instant in
                try Task.checkCancellation()
                self.advance(to: instant)
            }
        )
    }
}
