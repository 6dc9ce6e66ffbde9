internal import Foundation

/// Prints progress to standard error, so that it is not part of the results.
enum Progress {
    static func note(_ text: String) {
        fflush(nil)
        FileHandle.standardError.write(Data("    \(text)\n".utf8))
    }
}

/// The results, as text.
enum Report {
    static func heading(_ text: String) {
        print("\n\(text)\n\(String(repeating: "-", count: text.count))\n")
    }

    /// The machine, and its load when the run began.
    static func machine(plan: Plan) {
        let read = { (path: String) in (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
        let model = read("/proc/cpuinfo").split(separator: "\n").first { $0.hasPrefix("model name") } ?? "unknown"
        let memory = read("/proc/meminfo").split(separator: "\n").first ?? ""
        print(
            "Processors: \(ProcessInfo.processInfo.processorCount) (\(model.split(separator: ":").last ?? ""))".squeezed
        )
        print("Memory: \(memory.split(separator: ":").last ?? "")".squeezed)
        load()
        print(
            """
            Rounds: \(plan.rounds) of \(plan.seconds) s each; every figure is the median of the rounds. Server, bare \
            endpoint and load generator share the processors.
            """
        )
    }

    /// The machine's load.
    static func load() {
        let text = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)) ?? ""
        print("Load before the run (1, 5, 15 minutes): \(text.split(separator: " ").prefix(3).joined(separator: " "))")
    }

    static func table(_ summaries: [Summary], of connections: Int) {
        let glewlwyd = summaries.filter { $0.subject == "glewlwyd" && $0.connections == connections }
        line(
            "server", "operation", "req/s", "lowest", "highest", "p50 ms", "p99 ms", "us CPU", "of bare", "errors",
            "MB", "target")
        for one in summaries where one.connections == connections {
            // It has no opaque tokens, so those with a signature stand for both.
            let other = glewlwyd.first { other in
                let kind = { (name: String) in String(name.prefix { $0 != "," }) }
                return one.subject != "glewlwyd" && kind(other.load.name) == kind(one.load.name)
            }
            line(
                one.subject,
                one.load.name,
                number(one.rate),
                number(one.spread.lowerBound),
                number(one.spread.upperBound),
                String(format: "%.2f", one.median),
                String(format: "%.2f", one.p99),
                String(format: "%.1f", one.cost),
                String(format: "%.0f %%", one.ofBare * 100),
                "\(one.errors)",
                String(format: "%.0f", one.memory),
                verdict(one, other)
            )
        }
    }

    private static func verdict(_ one: Summary, _ glewlwyd: Summary?) -> String {
        var parts: [String] = []
        switch one.target {
        case .ofBare(let part):
            parts.append("\(one.ofBare >= part ? "reached" : "MISSED") (\(Int(part * 100)) % of bare)")
        case .rate(let rate): parts.append("\(one.rate >= rate ? "reached" : "MISSED") (\(number(rate)))")
        case .none: break
        }
        if let most = one.mostCost { parts.append("\(one.cost <= most ? "reached" : "MISSED") (\(number(most)) us)") }
        if one.errors > 0, one.subject != "glewlwyd" { parts.append("MISSED (no errors)") }
        if one.connections > 1, one.subject == "SQLite", let wanted = one.load.overGlewlwyd, let glewlwyd {
            let times = one.rate / glewlwyd.rate
            parts.append(
                String(format: "%@ (%.0f x glewlwyd, is %.1f x)", times >= wanted ? "reached" : "MISSED", wanted, times)
            )
        }
        return parts.joined(separator: ", ")
    }

    /// A count of something that must not happen at all, with its verdict.
    static func none(_ what: String, _ count: Int) {
        print("\(what): \(count) (target: none; \(count == 0 ? "reached" : "MISSED"))")
    }

    /// A target with its verdict.
    static func yardstick(_ what: String, _ value: Double, _ unit: String, below limit: Double) {
        let verdict = value < limit ? "reached" : "MISSED"
        print(String(format: "%@: %.1f %@ (target: below %.0f; %@)", what, value, unit, limit, verdict))
    }

    private static func line(_ cells: String...) {
        let widths = [20, 28, 9, 9, 9, 8, 8, 8, 8, 7, 5, 0]
        var text = ""
        for (cell, width) in zip(cells, widths) {
            let gap = String(repeating: " ", count: max(width - cell.count, 0))
            text += width > 10 || width == 0 ? cell + gap : gap + cell
            text += "  "
        }
        while text.last == " " { text.removeLast() }
        print(text)
    }

    private static func number(_ value: Double) -> String {
        value.isFinite ? "\(Int(value.rounded()))" : "-"
    }
}

extension String {
    fileprivate var squeezed: String {
        split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }
}
