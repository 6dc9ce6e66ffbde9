import Foundation

/// A record of typed lines and their output, as text.
///
///     $ countersign admin client list
///     No clients yet.
///     $ countersign admin client remove nobody
///     countersign: There is no client nobody.
///     [1]
///
/// A line with `$` is run by a shell; the lines below it are what it prints, where `…` stands for any text; a number in
/// brackets is its status when that is not 0. Lines with `#` say what comes.
struct Transcript {
    struct Step {
        let line: Int
        let command: String
        var expected: [String] = []
        var status: Int32 = 0
    }

    let steps: [Step]

    init(named name: String) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Transcripts/\(name).txt")
        var steps: [Step] = []
        let lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            if line.hasPrefix("$ ") {
                steps.append(Step(line: number + 1, command: String(line.dropFirst(2))))
            } else if line.hasPrefix("#") || steps.isEmpty {
                continue
            } else if line.hasPrefix("["), line.hasSuffix("]"), let status = Int32(line.dropFirst().dropLast()) {
                steps[steps.count - 1].status = status
            } else {
                steps[steps.count - 1].expected.append(String(line))
            }
        }
        self.steps = steps.map { step in
            var step = step
            while step.expected.last?.isEmpty == true { step.expected.removeLast() }
            return step
        }
    }

    /// Whether `line` is what `pattern` asks for.
    static func line(_ line: String, matches pattern: String) -> Bool {
        let parts = pattern.components(separatedBy: "…")
        guard parts.count > 1 else { return line == pattern }
        guard line.hasPrefix(parts[0]), line.hasSuffix(parts[parts.count - 1]) else { return false }
        var rest = line.dropFirst(parts[0].count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.range(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.count >= parts[parts.count - 1].count
    }
}
