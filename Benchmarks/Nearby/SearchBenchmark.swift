internal import Foundation

/// Measures a search without a cache, for a service that has been advertised for a while.
struct SearchBenchmark {
    let lan: Lan
    let responders: Responders
    let runs: Int

    struct Result {
        let advertiser: Responder
        let searcher: Responder
        /// From the start of its program.
        var whole = Spans()
        /// From the line of its program that reports the beginning of the search, if it prints one.
        var told = Spans()
        /// The start-up times of that program.
        var starts = Spans()
        /// From the first question on the wire.
        var asked = Spans()

        /// From the start of the search.
        var search: Spans { told.less(starts) }
    }

    /// Each of `searchers` in turn searches for the service that one of them advertises, repeatedly.
    func measure(advertisedBy advertiser: Responder, searchedBy searchers: [Responder]) throws -> [Result] {
        if advertiser.hasDaemon { try lan.startAvahi(on: .b) }
        defer { if advertiser.hasDaemon { try? lan.endAvahi(on: .b) } }
        let service = try lan.start(responders.advertise("Bench", by: advertiser), on: .b)
        defer { service.stop() }
        let wire = try lan.start(["python3", "-u", "Benchmarks/Nearby/wire.py", Responder.type], on: .a)
        defer { wire.stop(SIGKILL) }
        guard service.line(within: 20, where: advertiser.establishes) != nil,
            wire.line(within: 20, where: { $0 == "listening" }) != nil
        else { throw BenchmarkFailure("\(advertiser.rawValue) does not advertise.") }
        // It announces itself three times, the last time up to three seconds after the first.
        usleep(4_500_000)

        var results = searchers.map { Result(advertiser: advertiser, searcher: $0) }
        for _ in 0..<runs {
            for index in results.indices { try measure(&results[index], wire) }
        }
        return results
    }

    private func measure(_ result: inout Result, _ wire: TimedProgram) throws {
        let one = result.searcher
        if one.hasDaemon { try lan.startAvahi(on: .a) }
        result.starts.add(try responders.start(of: one, on: lan))
        let before = TimedProgram.now
        let program = try lan.start(responders.search(one), on: .a)
        let began = try program.began()
        let resolved = program.line(within: 15) { one.resolves("Bench", $0) }?.at
        let searching = program.line(within: 5, where: one.begins)?.at ?? began
        program.stop(SIGKILL)
        if one.hasDaemon { try lan.endAvahi(on: .a) }
        result.whole.add(resolved.map { $0 - began })
        result.told.add(resolved.map { $0 - searching })
        // No responder repeats a multicast within a second. The previous search no longer asks by then.
        usleep(1_500_000)
        let asked = wire.lines.lazy.filter { $0.text.hasSuffix("question sent") }
            .compactMap { Double($0.text.prefix { $0 != " " }) }.first { $0 > before }
        result.asked.add(resolved.flatMap { resolved in asked.map { resolved - $0 } })
    }
}

extension SearchBenchmark {
    static func show(_ results: [Result]) {
        var table = SpansTable(
            "advertised by", "searched by", "found", "min ms", "median ms", "max ms", "from question",
            "with start")
        for one in results {
            table.add(
                [one.advertiser.rawValue, one.searcher.rawValue] + one.search.cells
                    + [one.asked, one.whole].map { Spans.milliseconds($0.median) })
        }
        table.show()
    }
}
