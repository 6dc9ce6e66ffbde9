internal import NIOConcurrencyHelpers

/// Many runs of a home, each with a schedule of its own seed.
///
/// ```swift
/// let campaign = HomeCampaign(seeds: 1..<21)
/// if let failure = try await campaign.run() { Issue.record("\(failure)") }
/// ```
public struct HomeCampaign: Sendable {
    /// The seeds of the runs.
    public let seeds: Range<UInt64>
    /// The number of runs at the same time.
    public let atOnce: Int
    let faults: PlantedFaults

    /// Creates a campaign, with two runs at the same time by default.
    public init(seeds: Range<UInt64>, atOnce: Int = 2) {
        self.init(seeds: seeds, atOnce: atOnce, planting: .none)
    }

    /// A campaign that has to find planted faults.
    package init(seeds: Range<UInt64>, atOnce: Int = 2, planting faults: PlantedFaults) {
        self.seeds = seeds
        self.atOnce = max(1, atOnce)
        self.faults = faults
    }

    /// Runs every schedule until one fails, which is then reduced to a shortest one.
    ///
    /// - Parameter progress: Called now and then with the number of runs that a worker has done; does nothing by
    ///   default.
    /// - Returns: The failure; `nil` for none.
    /// - Throws: ``HomeFault`` when no home can be made; `CancellationError` when the task is cancelled.
    public func run(progress: @escaping @Sendable (Int) -> Void = { _ in }) async throws -> HomeFailure? {
        let hasFailed = NIOLockedValueBox(false)
        return try await withThrowingTaskGroup(of: HomeFailure?.self) { group in
            for worker in 0..<atOnce { group.addTask { try await run(worker, until: hasFailed, progress) } }
            return try await group.reduce(nil) { first, failure in
                [first, failure].compactMap(\.self).min { $0.seed < $1.seed }
            }
        }
    }

    /// The part of one worker, which has a ground of its own.
    private func run(
        _ worker: Int, until hasFailed: NIOLockedValueBox<Bool>, _ progress: @Sendable (Int) -> Void
    ) async throws -> HomeFailure? {
        let ground = try await HomeGround.settle()
        var done = 0
        for seed in seeds.dropFirst(worker) where (seed - seeds.lowerBound) % UInt64(atOnce) == UInt64(worker) {
            guard !hasFailed.withLockedValue({ $0 }) else { return nil }
            let schedule = HomeSchedule(seed: seed)
            let report = try await Self.report(of: schedule, on: ground, planting: faults)
            if let fault = report.fault {
                hasFailed.withLockedValue { $0 = true }
                return try await failure(schedule, fault, on: ground)
            }
            done += 1
            if done.isMultiple(of: 100) { progress(100) }
        }
        progress(done % 100)
        return nil
    }

    /// Reduces a schedule that fails.
    private func failure(
        _ schedule: HomeSchedule, _ fault: HomeFault, on ground: HomeGround
    ) async throws -> HomeFailure {
        let reduction = ScheduleReduction { [faults] shorter in
            let found = try await Self.report(of: shorter, on: ground, planting: faults).fault
            return found?.promise == fault.promise
        }
        let shortest = try await reduction.shortest(schedule)
        let report = try await Self.report(of: shortest, on: ground, planting: faults)
        return HomeFailure(schedule: shortest, fault: report.fault ?? fault, trace: report.trace)
    }

    static func report(
        of schedule: HomeSchedule, on ground: HomeGround, planting faults: PlantedFaults = .none
    ) async throws -> HomeReport {
        try await Home(seed: schedule.seed, on: ground, planting: faults).run(schedule)
    }
}

/// A broken promise, with a shortest schedule that breaks it.
public struct HomeFailure: Sendable, Equatable, CustomStringConvertible {
    /// The schedule, from which no event can be left out.
    public let schedule: HomeSchedule
    /// The promise, as the schedule breaks it.
    public let fault: HomeFault
    /// The run of the schedule, line by line.
    public let trace: [String]

    /// The seed of the whole schedule.
    public var seed: UInt64 { schedule.seed }

    /// The fault, the run, and how to run it again.
    public var description: String {
        let events = schedule.events.map { "    \($0)" }
        let run = trace.map { "    \($0)" }
        return
            (["\(fault)", "A shortest schedule:"] + events + ["Its run:"] + run
            + ["To run the whole schedule again: make home SEED=\(seed)"]).joined(separator: "\n")
    }
}
