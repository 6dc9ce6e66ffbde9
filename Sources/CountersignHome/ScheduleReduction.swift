/// Finds a shortest schedule that still fails: one from which no event can be left out.
///
/// It leaves out ever smaller runs of events, and keeps what fails without them.
/// Standard: delta debugging, by Zeller and Hildebrandt (2002).
struct ScheduleReduction {
    /// Whether a schedule fails.
    let fails: (HomeSchedule) async throws -> Bool

    /// Reduces a schedule that fails.
    ///
    /// - Throws: what ``fails`` throws.
    func shortest(_ schedule: HomeSchedule) async throws -> HomeSchedule {
        var shortest = schedule
        var length = max(1, shortest.events.count / 2)
        while true {
            let before = shortest.events.count
            try await leaveOut(length, of: &shortest)
            if length > 1 {
                length /= 2
            } else if shortest.events.count == before {
                return shortest
            }
        }
    }

    /// Leaves out runs of `length` events, from the last one on, wherever it still fails.
    private func leaveOut(_ length: Int, of schedule: inout HomeSchedule) async throws {
        var end = schedule.events.count
        while end > 0 {
            let start = max(0, end - length)
            var shorter = schedule
            shorter.events.removeSubrange(start..<end)
            if try await fails(shorter) { schedule = shorter }
            end = start
        }
    }
}
