/// The extent of the measurements.
struct Plan {
    var rounds = 3
    var seconds = 2
    var connections = [1, 16, 64]
    var waiting = [1_000, 10_000, 18_000]
    var starting = 10_000
    var decisions = 300
    var manyTokens = 10_000_000

    /// Enough to see whether a change helped.
    static let quick = Plan(rounds: 1, seconds: 1, waiting: [1_000], starting: 2_000, decisions: 100, manyTokens: 0)

    /// The count of runs of each operation.
    var runs: Int { rounds * connections.count }
}
