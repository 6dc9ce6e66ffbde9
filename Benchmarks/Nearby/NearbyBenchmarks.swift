internal import ArgumentParser
internal import Foundation

/// Measures how screens and phones find each other, beside others that do the same.
struct NearbyBenchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nearby", abstract: "Measure how others are found on the local network.")

    @Option(name: .long, help: "The command under test.")
    var command: String

    @Option(name: .long, help: "Python with the package zeroconf.")
    var python = "python3"

    @Option(name: .long, help: "How often each thing is measured.")
    var runs: Int?

    @Option(name: .long, help: "Measure only this: search, announcement, link, flood, siege.")
    var only: String?

    @Flag(name: .long, help: "Without loss only.")
    var lossless = false

    @Flag(name: .long, help: "A few runs of each.")
    var quick = false

    private var count: Int { runs ?? (quick ? 5 : 20) }
    private var responders: Responders { Responders(command: command, python: python) }

    func run() async throws {
        Report.heading("Nearby")
        print("Measured on \(Date.now.formatted(.iso8601))")
        Report.load()
        let lan: Lan
        do {
            lan = try Lan("csbench\(getpid())")
        } catch {
            print("Nearby is not measured: it needs network namespaces, which root on Linux can make.")
            return
        }
        defer { lan.take() }
        let present = responders.present
        for one in Responder.allCases where !present.contains(one) {
            print("\(one.rawValue) is not here, and not measured.")
        }
        print(
            """
            Two hosts made of network namespaces; \(count) runs of each. Times in milliseconds.

            """)
        try measure(on: lan, present, isLossy: false)
        guard !lossless else { return }
        Report.heading("Nearby, with 30 % loss of what the searching host sends and gets")
        do {
            try lan.lose(percent: 30)
        } catch {
            print("Not measured: it needs nftables.")
            return
        }
        try measure(on: lan, present, isLossy: true)
    }

    private func measure(
        on lan: Lan,
        _ present: [Responder],
        isLossy: Bool
    ) throws {
        if only ?? "search" == "search" {
            try search(on: lan, present, isLossy: isLossy)
        }
        if only ?? "announcement" == "announcement" {
            try announcement(on: lan, present, isLossy: isLossy)
        }
        if only ?? "flood" == "flood", !isLossy {
            Progress.note("a search beside a flood")
            let benchmark = FloodBenchmark(lan: lan, responders: responders)
            FloodBenchmark.show(try [1, 50].map { try benchmark.measure(from: $0) })
        }
        if only ?? "siege" == "siege", !isLossy {
            Progress.note("links beside a siege")
            SiegeBenchmark.show(try SiegeBenchmark(lan: lan, python: python, runs: count).measure())
        }
        if only ?? "link" == "link" {
            Progress.note("links")
            let result = try LinkBenchmark(lan: lan, runs: count).measure()
            print("A screen finds a phone, and has a sealed link with it; each time a new process at the screen:")
            LinkBenchmark.show(result)
            if isLossy {
                NearbyVerdict.allWithin(5, "Found and linked", result.reached)
            } else {
                Report.yardstick(
                    "Resolved to the first sealed answer, median", result.linked.median * 1000, "ms", below: 10)
            }
            print("")
        }
    }

    private func search(
        on lan: Lan, _ present: [Responder], isLossy: Bool
    ) throws {
        let benchmark = SearchBenchmark(lan: lan, responders: responders, runs: count)
        var results: [SearchBenchmark.Result] = []
        for advertiser in present {
            Progress.note("searches for what \(advertiser.rawValue) advertises")
            results += try benchmark.measure(advertisedBy: advertiser, searchedBy: isLossy ? [advertiser] : present)
        }
        print("From the start of a search that knows nothing to resolved; advertised since some seconds:")
        SearchBenchmark.show(results)
        NearbyVerdict.tell(results, isLossy: isLossy)
        print("")
    }

    private func announcement(
        on lan: Lan, _ present: [Responder], isLossy: Bool
    ) throws {
        let benchmark = AnnouncementBenchmark(lan: lan, responders: responders, runs: count)
        var results: [AnnouncementBenchmark.Result] = []
        var pairs = present.map { ($0, $0) }
        if !isLossy { pairs += present.filter { $0 != .countersign }.map { (.countersign, $0) } }
        for (advertiser, searcher) in pairs {
            Progress.note("what \(advertiser.rawValue) advertises, as \(searcher.rawValue) sees it")
            results.append(try benchmark.measure(advertisedBy: advertiser, searchedBy: searcher))
        }
        AnnouncementBenchmark.show(results)
        NearbyVerdict.tell(results, isLossy: isLossy)
        print("")
    }
}
