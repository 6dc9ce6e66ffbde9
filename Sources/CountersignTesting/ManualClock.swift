public import Countersign
internal import NIOConcurrencyHelpers
public import FoundationEssentialsCompat

/// Time that passes only when a test says so.
///
/// ```swift
/// let clock = ManualClock()
/// let waiting = Task { try await clock.source.sleep(for: .seconds(30)) }
/// await clock.sleepers()
/// clock.advance(by: .seconds(30))
/// try await waiting.value
/// ```
///
/// It has both clocks of a machine: a date, and an instant of the clock that never jumps. ``advance(by:)`` moves both
/// and wakes the tasks that have slept long enough, in the order of their instants; ``setDate(_:)`` changes only the
/// date, like a change of the system time. A test waits for ``sleepers(_:)`` before it advances, so that the order of
/// events is certain.
public final class ManualClock: Sendable {
    private struct Sleeper {
        let until: ContinuousClock.Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        /// Whether the sleeps of now are counted, or all that ever began.
        let countsOpenOnly: Bool
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var date: Date
        var instant: ContinuousClock.Instant
        var sleepers: [Int: Sleeper] = [:]
        var sleepersEver = 0
        var sleepsEver = 0
        var watchers: [Watcher] = []
    }

    private let state: NIOLockedValueBox<State>

    /// A clock that does not advance.
    public init(_ date: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
        // Instants have no fixed origin: any will do, since only spans between them count.
        state = NIOLockedValueBox(State(date: date, instant: ContinuousClock.now))
    }

    /// The date.
    public var date: Date { state.withLockedValue(\.date) }

    /// The instant of the clock that never jumps.
    public var instant: ContinuousClock.Instant { state.withLockedValue(\.instant) }

    /// The date as a closure, as services take it.
    public var now: @Sendable () -> Date { { self.date } }

    /// Date and instant of the same moment.
    public var moment: Moment { state.withLockedValue { Moment(instant: $0.instant, date: $0.date) } }

    /// Lets time pass, and wakes the tasks that have slept long enough.
    ///
    /// - Parameter span: The time that both clocks move by.
    public func advance(by span: Duration) { advance(to: instant + span) }

    /// Lets time pass until an instant; does nothing if that has passed.
    ///
    /// - Parameter instant: The instant to reach, by the running clock; the wall clock moves by the same span.
    public func advance(to instant: ContinuousClock.Instant) {
        let due = state.withLockedValue { state in
            guard instant > state.instant else { return [Sleeper]() }
            state.date += (instant - state.instant) / .seconds(1)
            state.instant = instant
            let due = state.sleepers.filter { $0.value.until <= instant }
            for number in due.keys { state.sleepers[number] = nil }
            return due.sorted { ($0.value.until, $0.key) < ($1.value.until, $1.key) }.map(\.value)
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Sets the date alone, as a person or a time server does; no task wakes.
    ///
    /// - Parameter date: The date of the wall clock from now on.
    public func setDate(_ date: Date) { state.withLockedValue { $0.date = date } }
}

extension ManualClock {
    /// Returns once the clock was advanced by `span`.
    ///
    /// - Parameter span: The time to sleep by the running clock.
    /// - Throws: `CancellationError` at once when the task is cancelled.
    public func sleep(for span: Duration) async throws { try await sleep(until: instant + span) }

    /// Returns once the clock was advanced to `instant`.
    ///
    /// - Parameter instant: The instant to wake at, by the running clock; one that has passed returns at once.
    /// - Throws: `CancellationError` at once when the task is cancelled.
    public func sleep(until instant: ContinuousClock.Instant) async throws {
        let number = state.withLockedValue { state in
            state.sleepersEver += 1
            return state.sleepersEver
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enter(number, Sleeper(until: instant, continuation: continuation))
            }
        } onCancel: {
            cancel(number)
        }
    }

    /// Returns once enough tasks sleep.
    ///
    /// - Parameter count: The number of tasks that sleep at the same time, at least.
    public func sleepers(_ count: Int = 1) async { await watch(count, countsOpenOnly: true) }

    /// Returns once enough sleeps have begun since the clock was made, whether they have ended or not.
    ///
    /// - Parameter count: The number of sleeps, at least.
    public func sleeps(_ count: Int) async { await watch(count, countsOpenOnly: false) }

    private func watch(_ count: Int, countsOpenOnly: Bool) async {
        await withCheckedContinuation { continuation in
            let enough = state.withLockedValue { state in
                if (countsOpenOnly ? state.sleepers.count : state.sleepsEver) >= count { return true }
                state.watchers.append(Watcher(countsOpenOnly: countsOpenOnly, count: count, continuation: continuation))
                return false
            }
            if enough { continuation.resume() }
        }
    }

    /// The number of tasks that sleep.
    public var sleeping: Int { state.withLockedValue(\.sleepers.count) }

    private func enter(_ number: Int, _ sleeper: Sleeper) {
        enum Outcome { case sleeping([Watcher]), awake, cancelled }
        let outcome: Outcome = state.withLockedValue { state in
            // Looked at under the lock: a cancellation from now on finds the sleeper in its place.
            if Task.isCancelled { return .cancelled }
            if sleeper.until <= state.instant { return .awake }
            state.sleepers[number] = sleeper
            state.sleepsEver += 1
            let (now, ever) = (state.sleepers.count, state.sleepsEver)
            let told = state.watchers.filter { $0.count <= ($0.countsOpenOnly ? now : ever) }
            state.watchers.removeAll { $0.count <= ($0.countsOpenOnly ? now : ever) }
            return .sleeping(told)
        }
        switch outcome {
        case .sleeping(let watchers): for watcher in watchers { watcher.continuation.resume() }
        case .awake: sleeper.continuation.resume()
        case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
        }
    }

    private func cancel(_ number: Int) {
        let sleeper = state.withLockedValue { $0.sleepers.removeValue(forKey: number) }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
