internal import Foundation

/// Measures the time from a phone that is found to a sealed link with it, and to its grant.
struct LinkBenchmark {
    let lan: Lan
    let runs: Int

    struct Result {
        /// From the start of the search.
        var found = Spans()
        /// From there on.
        var linked = Spans()
        var granted = Spans()

        /// From the start of the search until the link is there.
        var reached: Spans { found.followed(by: linked) }

        /// - Parameter run: One sign-in; `nil` when it did not end with a grant.
        mutating func add(_ run: LinkRun?) {
            found.add(run?.found)
            linked.add(run?.linked)
            granted.add(run?.granted)
        }
    }

    /// A screen that starts anew each time; the phone stays.
    func measure() throws -> Result {
        let phone = try RunningPhone(on: lan)
        defer { phone.stop() }
        var result = Result()
        for _ in 0..<runs {
            let (screen, run) = try phone.signIn()
            result.add(run)
            screen.stop(SIGKILL)
            usleep(1_200_000)
        }
        return result
    }

    static func show(_ result: Result) {
        var table = SpansTable("what", "reached", "min ms", "median ms", "max ms")
        table.add(["start of the search to resolved"] + result.found.cells)
        table.add(["resolved to the first sealed answer"] + result.linked.cells)
        table.add(["code typed to the grant"] + result.granted.cells)
        table.show()
    }
}
