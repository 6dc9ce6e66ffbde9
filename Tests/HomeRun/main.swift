import CountersignHome
import Foundation
import NIOConcurrencyHelpers

// Random schedules of a whole home: HomeRun FIRST COUNT, or HomeRun SEED to see one schedule, event by event.

/// Counts the runs that are done, and prints every thousandth.
final class Progress: Sendable {
    private let done = NIOLockedValueBox(0)

    func add(_ more: Int) {
        let (before, after) = done.withLockedValue { done in
            defer { done += more }
            return (done, done + more)
        }
        if before / 1_000 < after / 1_000 { print("\(after / 1_000 * 1_000) schedules") }
    }
}

let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
guard let first = numbers.first, numbers.count == CommandLine.arguments.count - 1 else {
    print("usage: HomeRun SEED | HomeRun FIRST COUNT")
    exit(2)
}
let seeds = first..<(first &+ (numbers.dropFirst().first ?? 1))
let progress = Progress()
let cores = ProcessInfo.processInfo.activeProcessorCount
if let failure = try await HomeCampaign(seeds: seeds, atOnce: cores).run(progress: progress.add) {
    print(failure)
    exit(1)
}
if seeds.count == 1 {
    for line in try await Home(seed: first).run(HomeSchedule(seed: first)).trace { print(line) }
}
print("All promises held in \(seeds.count) schedules, from seed \(seeds.lowerBound) on.")
