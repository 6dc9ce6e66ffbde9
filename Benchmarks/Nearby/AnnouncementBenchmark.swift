internal import Foundation

/// Measures how soon a running search sees a new service, and its removal.
struct AnnouncementBenchmark {
    let lan: Lan
    let responders: Responders
    let runs: Int

    struct Result {
        let advertiser: Responder
        let searcher: Responder
        /// From the line of the advertising program that reports its beginning, if it prints one.
        var told = Spans()
        /// The start-up times of that program.
        var starts = Spans()
        /// From the signal that ended its program.
        var removed = Spans()

        /// From the start of advertising.
        var seen: Spans { told.less(starts) }
    }

    func measure(advertisedBy advertiser: Responder, searchedBy searcher: Responder) throws -> Result {
        if advertiser.hasDaemon { try lan.startAvahi(on: .b) }
        if searcher.hasDaemon { try lan.startAvahi(on: .a) }
        defer {
            if advertiser.hasDaemon { try? lan.endAvahi(on: .b) }
            if searcher.hasDaemon { try? lan.endAvahi(on: .a) }
        }
        var result = Result(advertiser: advertiser, searcher: searcher)
        let search = try lan.start(responders.search(searcher), on: .a)
        defer { search.stop(SIGKILL) }
        // Its first questions are over by then.
        usleep(4_000_000)
        for run in 1...runs {
            let name = "Bench\(run)"
            result.starts.add(try responders.start(of: advertiser, on: lan))
            let service = try lan.start(responders.advertise(name, by: advertiser), on: .b)
            let began = try service.began()
            let seen = search.line(within: 15) { searcher.resolves(name, $0) }?.at
            let beginning = service.line(within: 5, where: advertiser.begins)?.at ?? began
            result.told.add(seen.map { $0 - beginning })
            _ = service.line(within: 5, where: advertiser.establishes)
            usleep(300_000)
            let told = service.stop()
            guard seen != nil else { continue }
            result.removed.add(search.line(within: 5) { searcher.removes(name, $0) }.map { $0.at - told })
        }
        return result
    }

    static func show(_ results: [Result]) {
        for (heading, spans) in [
            ("From the start of advertising until a search that runs has it resolved:", \Result.seen),
            ("From the end of its program until that search tells that it has gone:", \Result.removed),
        ] {
            print(heading)
            var table = SpansTable("advertised by", "searched by", "found", "min ms", "median ms", "max ms")
            for one in results {
                table.add([one.advertiser.rawValue, one.searcher.rawValue] + one[keyPath: spans].cells)
            }
            table.show()
        }
    }
}
