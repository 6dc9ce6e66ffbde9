internal import Countersign
internal import CountersignWire
internal import Foundation
internal import HTTPTypes

/// Polls that are answered, or held, without a task.
extension DeviceCodeGrant {
    /// The answer to a poll, unless it comes too early, or beside one that is held open.
    func fastPathAnswer(to pending: Pending) -> FastPathAnswer? {
        guard !waits.isHeld(pending.id),
            polls.noteUnlessTooFast(pending.id, interval: pending.interval, at: clock.now())
        else { return nil }
        return Self.pendingAnswer
    }

    /// How to hold a poll open; `nil` for one that comes too early.
    ///
    /// - Parameter isPending: Whether still nobody has decided.
    func fastPathWait(
        for pending: Pending,
        _ preference: WaitPreference,
        isPending: @escaping @Sendable () -> Bool
    ) -> FastPathWait? {
        guard !pending.awaitsLink, let wait = WaitPreference(seconds: min(preference.seconds, longestWait)),
            // Whoever lost a held request asks again at once, and that ends the lost one.
            waits.isHeld(pending.id)
                || polls.noteUnlessTooFast(pending.id, interval: pending.interval, at: clock.now())
        else { return nil }
        let (id, deadline) = (pending.id, pending.deadline)
        return FastPathWait(
            span: .seconds(min(Double(wait.seconds), deadline.timeIntervalSince(clock.now()))),
            begin: { [waits, polls] in
                let waiting = waits.begin(id)
                if let waiting, isPending() { return waiting }
                if let waiting { waits.end(waiting) }
                polls.forget(id)
                return nil
            },
            end: { [waits, polls] waiting in
                waits.end(waiting)
                polls.forget(id)
            },
            answer: { [clock] isWhole in
                guard clock.now() < deadline else { return nil }
                var answer = Self.pendingAnswer
                if isWhole { answer.head.headerFields[.preferenceApplied] = wait.headerValue }
                return answer
            }
        )
    }

    private static let pendingAnswer = FastPathAnswer.json(
        CompactJSON.bytes(of: OAuthErrorResponse(pending)),
        status: pending.code.status
    )
}
