internal import Foundation

/// How long it takes from a phone that is found to a sealed link with it, and to its grant.
struct LinkBenchmark {
    let lan: Lan
    let runs: Int

    struct Result {
        /// From the start of the search.
        var found = Spans()
        /// From there on.
        var linked = Spans()
        var granted = Spans()
    }

    /// A screen that starts anew each time; the phone stays.
    func measure() throws -> Result {
        let program = CommandLine.arguments[0]
        let phone = try lan.start([program, "link-phone"], on: .b)
        defer { phone.stop(SIGKILL) }
        guard phone.line(within: 20, where: { $0 == "listening" }) != nil else {
            throw BenchmarkFailure("The phone does not listen.")
        }
        usleep(4_500_000)
        var result = Result()
        for _ in 0..<runs {
            let screen = try lan.start([program, "link-screen"], on: .a)
            if let code = screen.line(within: 30, where: { $0.hasPrefix("code ") }) {
                phone.type(String(code.text.dropFirst(5)))
            }
            let line = screen.line(within: 30) { $0.hasPrefix("granted ") }
            let spans = line?.text.split(separator: " ").compactMap { Double($0) } ?? []
            result.found.add(spans.first)
            result.linked.add(spans.count == 3 ? spans[1] : nil)
            result.granted.add(spans.last)
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
