internal import Foundation

/// Measures how soon screens have a link with a phone beside a siege: new ones, and paired ones that return.
struct SiegeBenchmark {
    let lan: Lan
    let python: String
    let runs: Int

    struct Result {
        var newcomers = LinkBenchmark.Result()
        var returns = LinkBenchmark.Result()
        /// The count of hostile connections made in a second, in each siege.
        var made: [Int] = []
    }

    /// The count of addresses that besiege the phone.
    private static let addresses = 50
    /// The maximum of requests by a paired screen within an hour.
    private static let mostReturns = 5

    func measure() throws -> Result {
        let addresses = try lan.add(Self.addresses, to: .a)
        defer { lan.remove(addresses, from: .a) }
        var result = Result()
        for _ in 0..<runs { try addNewcomer(to: &result, besiegedFrom: addresses) }
        try addReturns(to: &result, besiegedFrom: addresses)
        return result
    }

    /// Each newcomer has a phone of its own, since a phone prefers the addresses of screens that it has approved.
    private func addNewcomer(to result: inout Result, besiegedFrom addresses: [String]) throws {
        let phone = try RunningPhone(on: lan)
        defer { phone.stop() }
        let siege = try Siege(of: phone, from: addresses, by: python)
        defer { siege.end() }
        let (screen, run) = try phone.signIn()
        screen.stop(SIGKILL)
        result.newcomers.add(run)
        result.made.append(siege.made)
    }

    /// The pairs are made before the siege.
    private func addReturns(to result: inout Result, besiegedFrom addresses: [String]) throws {
        let phone = try RunningPhone(on: lan)
        defer { phone.stop() }
        let pairs = (runs + Self.mostReturns - 1) / Self.mostReturns
        let screens = try (0..<pairs).map { _ in try phone.signIn("--pairs") }
        defer { for one in screens { one.screen.stop(SIGKILL) } }
        guard screens.allSatisfy({ $0.run != nil }) else { throw BenchmarkFailure("The phone pairs with no screen.") }
        let siege = try Siege(of: phone, from: addresses, by: python)
        defer { siege.end() }
        for number in 0..<runs {
            let (screen, name) = (screens[number % pairs].screen, "return\(number)")
            screen.type(name)
            result.returns.add(LinkRun(named: name, of: screen))
            usleep(1_200_000)
        }
        result.made.append(siege.made)
    }

    static func show(_ result: Result) {
        print(
            """
            Links beside \(FloodBenchmark.rate) hostile packets a second, and \(Siege.rate) hostile connections a second \
            (of which at least \(result.made.min() ?? 0) were made), from \(addresses) addresses:
            """)
        var table = SpansTable("screen", "what", "reached", "min ms", "median ms", "max ms")
        for (screen, links) in [("new", result.newcomers), ("paired", result.returns)] {
            table.add([screen, "start of the search to the first sealed answer"] + links.reached.cells)
            table.add([screen, "first sealed answer to the grant"] + links.granted.cells)
        }
        table.show()
        let newcomers = result.newcomers.reached
        NearbyVerdict.allWithin(5, but: newcomers.runs / 20, "New screens linked", newcomers)
        NearbyVerdict.allWithin(2, "Paired screens linked", result.returns.reached)
        print("")
    }
}
