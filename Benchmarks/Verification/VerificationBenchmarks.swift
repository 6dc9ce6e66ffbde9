internal import ArgumentParser
internal import Foundation

/// Measures the cost of verifying a token or a request, beside the bare check of its signature.
struct VerificationBenchmarks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Measure the verification of ID tokens and of requests of OAuth 1."
    )

    @Option(name: .long, help: "Not used: the server takes no part.")
    var command = ""

    @Flag(name: .long, help: "Fewer rounds.")
    var quick = false

    /// The maximum cost of a verification by a key pair, as a multiple of that of the bare signature.
    private static let most = 1.2

    func run() throws {
        Report.heading("Verification, processor time of one thread")
        let rounds = ProcessorTime(rounds: quick ? 5 : 25, count: 1000)
        var table = SpansTable("what", "bare signature us", "whole us", "times", "target")
        for one in try VerificationCases.all() {
            let bare = try rounds.measure(one.bare)
            let whole = try rounds.measure(one.whole)
            let times = whole / bare
            let verdict =
                one.hasTarget ? "\(times <= Self.most ? "reached" : "MISSED") (\(Self.most) times)" : "none"
            table.add(
                [one.name] + [bare, whole, times].map { String(format: "%.2f", $0) } + [verdict]
            )
        }
        table.show()
    }
}

/// Processor time of short operations.
struct ProcessorTime {
    let rounds: Int
    /// The count of operations in a round.
    let count: Int

    /// The least that a round took, in microseconds for one operation: what disturbs only adds.
    func measure(_ operation: () throws -> Void) rethrows -> Double {
        var least = Double.infinity
        for _ in 0..<rounds {
            let began = Self.now()
            for _ in 0..<count { try operation() }
            least = min(least, (Self.now() - began) / Double(count))
        }
        return least
    }

    private static func now() -> Double { Double(clock()) }
}
