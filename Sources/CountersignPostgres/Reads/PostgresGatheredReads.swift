#if PostgreSQL
internal import Dispatch
internal import Foundation
internal import Countersign
internal import CountersignSQL
internal import CountersignStorage
internal import NIOConcurrencyHelpers
internal import NIOCore

/// Lets lookups that arrive together share one snapshot of the database.
///
/// A few threads, each with its own connection, take lookups from one queue, one at a time, so that a slow one delays
/// only its own caller. Lookups with announced rows are taken a few at a time, and their rows are fetched with one
/// message; while readers answer such groups, no others are woken for the few that arrive (``GatheringReaders``). A
/// reader answers from its snapshot only lookups that were asked before the snapshot was opened, so each sees every
/// change that was committed before it was asked. A lookup whose connection is lost returns to the head of the queue,
/// and is refused when its caller has waited for ``Timeouts/caller``.
final class PostgresGatheredReads: Sendable {
    typealias Read = PendingRead<PostgresConnection>

    /// The most lookups whose rows are fetched with one message.
    static let largestGroup = 16

    private struct State {
        var waiting = CircularBuffer<Read>()
        var gathering = GatheringReaders()
        /// The numbers of lookups that were ever asked, and that were taken from the queue.
        var asked = 0
        var taken = 0
        var sleeping = 0
        var readers = 0
        var outage = Outage()
        var isClosed = false
        var whenEnded: [CheckedContinuation<Void, Never>] = []
    }

    private let address: DatabaseAddress
    private let timeouts: Timeouts
    private let clock: TimeSource
    private let metrics: StoreMetrics
    private let state = NIOLockedValueBox(State())
    private let work = DispatchSemaphore(value: 0)

    init(address: DatabaseAddress, readers: Int, timeouts: Timeouts, clock: TimeSource, metrics: StoreMetrics) {
        self.address = address
        self.timeouts = timeouts
        self.clock = clock
        self.metrics = metrics
        state.withLockedValue { $0.readers = readers }
        for number in 1...readers {
            let thread = Thread { self.answerUntilClosed() }
            thread.name = "pg-reader-\(number)"
            thread.start()
        }
    }

    /// Puts a lookup in the queue, and wakes a reader if one sleeps.
    func add(_ read: Read) {
        let refusal: (any Error)? = state.withLockedValue { state in
            guard !state.isClosed else { return StoreClosedError() }
            guard state.waiting.count < StoreQueue.capacity else { return StoreQueue.full }
            let isAnsweredSoon =
                read.isAnnounced && state.gathering.answerSoon(behind: state.waiting.count, at: read.asked)
            state.waiting.append(read)
            state.asked += 1
            if !isAnsweredSoon { wakeAReader(in: &state) }
            return nil
        }
        if let refusal { read.refuse(refusal) }
    }

    /// Accepts no more lookups, and returns when those in the queue are answered and the connections closed.
    func close() async {
        await withCheckedContinuation { caller in
            let hasEnded = state.withLockedValue { state in
                state.isClosed = true
                while state.sleeping > 0 { wakeAReader(in: &state) }
                if state.readers > 0 { state.whenEnded.append(caller) }
                return state.readers == 0
            }
            if hasEnded { caller.resume() }
        }
    }

    private func wakeAReader(in state: inout State) {
        guard state.sleeping > 0 else { return }
        state.sleeping -= 1
        work.signal()
    }

    /// Wakes another reader, if lookups wait that this one does not take soon.
    private func wakeAReaderForOthers(in state: inout State) {
        if !state.waiting.isEmpty { wakeAReader(in: &state) }
    }

    // MARK: On a reader's thread

    private func answerUntilClosed() {
        let connections = ReconnectingConnection(to: address, as: .reader, answerTimeout: timeouts.answer)
        while let horizon = nextHorizon() {
            let began = clock.instant()
            do {
                try answer(upTo: horizon, on: try connections.connected())
                connections.succeeded()
                state.withLockedValue { $0.outage.ended() }
            } catch {
                refuseTimedOut(because: error, isUnreachable: !connections.isMade, since: began)
                // This one returns later than those expected that it was to answer.
                state.withLockedValue { wakeAReaderForOthers(in: &$0) }
                connections.close()
                connections.backOff()
            }
        }
        connections.close()
        end()
    }

    /// The number of lookups asked by now, as soon as one waits; `nil` when the store is closed and none waits.
    private func nextHorizon() -> Int? {
        while true {
            let (horizon, mustEnd): (Int?, Bool) = state.withLockedValue { state in
                guard state.waiting.isEmpty else { return (state.asked, false) }
                if !state.isClosed { state.sleeping += 1 }
                return (nil, state.isClosed)
            }
            if let horizon { return horizon }
            if mustEnd { return nil }
            work.wait()
        }
    }

    /// Answers from one snapshot the lookups that were asked before it was opened.
    private func answer(upTo horizon: Int, on connection: PostgresConnection) throws(PostgresError) {
        connection.resetOutcome()
        // The session's defaults make it REPEATABLE READ and read-only.
        connection.later("BEGIN")
        var answered = 0
        defer { if answered > 0 { metrics.answered(answered) } }
        while connection.refusal == nil {
            var group = next(before: horizon)[...]
            guard let first = group.first else { break }
            defer { if first.isAnnounced { state.withLockedValue { $0.gathering.end() } } }
            let prefetched = PrefetchedRows()
            do throws(PostgresError) {
                let rows = Set(group.lazy.flatMap(\.prefetched))
                if !rows.isEmpty { try connection.fetch(rows, into: prefetched) }
            } catch {
                guard !error.isPassing else {
                    putBack(group)
                    throw error
                }
                for read in group { read.refuse(error) }
                break
            }
            // The next snapshot answers the remaining ones when a statement was refused.
            while connection.refusal == nil, let read = group.first {
                let answer = read.attempt(connection, prefetched)
                guard !connection.isLost else { break }
                group.removeFirst()
                answer()
                answered += 1
            }
            putBack(group)
            guard !connection.isLost else { throw connection.loss() }
        }
        connection.discardLater()
        if connection.isInTransaction { try connection.run("COMMIT") }
    }

    /// The lookups at the head of the queue, except those asked after the first `horizon` ones: one, or several with
    /// announced rows.
    private func next(before horizon: Int) -> [Read] {
        let now = clock.instant()
        return state.withLockedValue { state in
            var group: [Read] = []
            while state.taken < horizon, group.count < Self.largestGroup, let read = state.waiting.first {
                guard group.isEmpty || read.isAnnounced else { break }
                state.waiting.removeFirst()
                state.taken += 1
                group.append(read)
                guard read.isAnnounced else { break }
            }
            guard let first = group.first else { return [] }
            if first.isAnnounced {
                state.gathering.begin(at: now)
            } else {
                // It may take long, and others do not wait for it.
                wakeAReaderForOthers(in: &state)
            }
            return group
        }
    }

    private func putBack(_ reads: ArraySlice<Read>) {
        guard !reads.isEmpty else { return }
        state.withLockedValue { state in
            for read in reads.reversed() { state.waiting.prepend(read) }
            state.taken -= reads.count
        }
    }

    /// Refuses the lookups whose callers have waited for too long. If the database was unreachable for that long, it
    /// refuses all that were asked before this attempt began: for later ones the failure may be over.
    private func refuseTimedOut(
        because error: PostgresError,
        isUnreachable: Bool,
        since began: ContinuousClock.Instant
    ) {
        let now = clock.instant()
        let refused: [Read] = state.withLockedValue { state in
            let isLongAway = isUnreachable && state.outage.failed(at: now, timeouts: timeouts)
            let count = state.waiting.prefix { read in
                isLongAway && read.asked <= began || read.asked.duration(to: now) >= timeouts.caller
            }.count
            let refused = Array(state.waiting.prefix(count))
            state.waiting.removeFirst(count)
            state.taken += count
            return refused
        }
        for read in refused { read.refuse(StoreUnavailableError(.notDone, reason: error.description)) }
    }

    private func end() {
        let released = state.withLockedValue { state -> [CheckedContinuation<Void, Never>] in
            state.readers -= 1
            return state.readers == 0 ? state.whenEnded : []
        }
        for caller in released { caller.resume() }
    }
}

extension PostgresConnection {
    /// The date by the clock of the server's machine.
    func date() throws(PostgresError) -> Date {
        let answer = try run("SELECT (extract(epoch FROM pg_catalog.clock_timestamp()) * 1000000)::bigint")
        let microseconds = answer.rowCount > 0 ? answer[0].integer(0) : nil
        return Date(timeIntervalSince1970: Double(microseconds ?? 0) / 1_000_000)
    }
}
#endif
