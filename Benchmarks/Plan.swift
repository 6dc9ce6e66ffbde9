/// The extent of the measurements.
struct Plan {
    var rounds = 3
    var seconds = 2
    var connections = [1, 16, 64]
    var waiting = [1_000, 10_000, 18_000]
    var starting = 10_000
    var decisions = 300
    var manyTokens = 10_000_000
    /// The count of people behind the pages of administrators, and of those who are imported.
    var crowd = 100_000
    var imported = 10_000
    /// The count of requests for each of these pages.
    var pageRequests = 200

    /// Enough to see whether a change helped.
    static let quick = Plan(
        rounds: 1, seconds: 1, waiting: [1_000], starting: 2_000, decisions: 100, manyTokens: 0, pageRequests: 50)

    /// The count of runs of each operation.
    var runs: Int { rounds * connections.count }
}
