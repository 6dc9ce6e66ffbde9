internal import Foundation

/// The duration of something, run by run, in seconds; runs that did not come to an end are counted.
struct Spans {
    private(set) var seconds: [Double] = []
    private(set) var lost = 0

    mutating func add(_ span: Double?) {
        if let span { seconds.append(span) } else { lost += 1 }
    }

    var runs: Int { seconds.count + lost }
    var median: Double { seconds.isEmpty ? .infinity : seconds.middle }

    /// All of them less what comes before: its median, since a single one tells little on a busy machine.
    func less(_ before: Spans) -> Spans {
        var rest = self
        rest.seconds = seconds.map { $0 - before.median }
        return rest
    }

    /// Both in each run, one after the other.
    func followed(by next: Spans) -> Spans {
        var both = self
        both.seconds = zip(seconds, next.seconds).map { $0 + $1 }
        both.lost = runs - both.seconds.count
        return both
    }

    /// "20 of 20", then the least, the median and the most, in milliseconds.
    var cells: [String] {
        ["\(seconds.count) of \(runs)"]
            + [seconds.min(), seconds.isEmpty ? nil : seconds.middle, seconds.max()].map(Self.milliseconds)
    }

    static func milliseconds(_ span: Double?) -> String {
        span.map { String(format: "%.1f", $0 * 1000) } ?? "-"
    }
}

/// A table of such figures.
struct SpansTable {
    private var rows: [[String]]

    init(_ columns: String...) {
        rows = [columns]
    }

    mutating func add(_ row: [String]) {
        rows.append(row)
    }

    /// Words to the left, figures to the right.
    func show() {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            var text = ""
            for (cell, (column, width)) in zip(row, widths.enumerated()) {
                let gap = String(repeating: " ", count: width - cell.count)
                text += rows[1...].contains { $0[column].first?.isLetter == true } ? cell + gap : gap + cell
                text += "  "
            }
            while text.last == " " { text.removeLast() }
            print(text)
        }
        print("")
    }
}
