internal import Foundation

/// Whether the targets are reached: no slower than the faster of the others, and every service found in spite of loss.
enum NearbyVerdict {
    static func tell(_ results: [SearchBenchmark.Result], isLossy: Bool) {
        let ours = results.filter { $0.searcher == .countersign }
        guard !isLossy else {
            for one in ours { allWithin(5, "Found", one.search) }
            return
        }
        for one in ours {
            let others = results.filter { $0.searcher != .countersign && $0.advertiser == one.advertiser }
            compare("What \(one.advertiser.rawValue) advertises", one.search, others.map(\.search))
        }
        if let own = ours.first(where: { $0.advertiser == .countersign }) {
            let others = results.filter { $0.searcher != .countersign && $0.advertiser == $0.searcher }
            compare("Each by its own", own.search, others.map(\.search))
        }
    }

    static func tell(_ results: [AnnouncementBenchmark.Result], isLossy: Bool) {
        let ours = results.filter { $0.advertiser == .countersign && $0.searcher == .countersign }
        let others = results.filter { $0.advertiser != .countersign }
        for one in ours {
            if isLossy {
                allWithin(5, "Seen", one.seen)
            } else {
                compare("Seen, each by its own", one.seen, others.map(\.seen))
            }
        }
    }

    /// Whether all runs ended in time, or all but a few.
    static func allWithin(_ seconds: Double, but few: Int = 0, _ what: String, _ spans: Spans) {
        let isReached = spans.seconds.count { $0 <= seconds } + few >= spans.runs
        let all = few == 0 ? "all" : "all but \(few)"
        print(
            "\(what): \(spans.seconds.count) of \(spans.runs), the slowest in \(Spans.milliseconds(spans.seconds.max())) ms "
                + "(target: \(all) within \(Int(seconds)) s; \(isReached ? "reached" : "MISSED"))")
    }

    private static func compare(_ what: String, _ ours: Spans, _ others: [Spans]) {
        guard let fastest = others.map(\.median).min() else { return }
        print(
            "\(what): median \(Spans.milliseconds(ours.median)) ms, the faster of the others "
                + "\(Spans.milliseconds(fastest)) ms (\(ours.median <= fastest ? "reached" : "MISSED"))")
    }
}
