internal import Countersign

extension TimeSource {
    /// Waits until `instant`; cancelling the task ends the wait at once.
    ///
    /// - Throws: ``SignInError`` `cancelled`.
    func rest(until instant: ContinuousClock.Instant) async throws(SignInError) {
        do {
            try await sleep(until: instant)
        } catch {
            throw SignInError.taskCancelled
        }
    }
}
