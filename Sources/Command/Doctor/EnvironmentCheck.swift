internal import Countersign
internal import Foundation

/// Checks the environment variables, because a misspelt one has no effect. Other programs may use such names too, so
/// the findings are notes only.
struct EnvironmentCheck {
    private let names: [String]

    init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        names = environment.keys.filter { $0.hasPrefix("COUNTERSIGN_") && !$0.hasPrefix("COUNTERSIGN_TEST_") }.sorted()
    }

    var findings: [Finding] {
        let known = Setting.variables
        return names.filter { !known.contains($0) }.map { name in
            .notice("environment", "\(name) is no setting, so it has no effect.", Self.advice(on: name, known: known))
        }
    }

    /// The same as sentences for a log.
    var warnings: [String] {
        findings.map { finding in finding.advice.map { "\(finding.finding) \($0)" } ?? finding.finding }
    }

    private static func advice(on name: String, known: Set<String>) -> String {
        if name == Setting.variable("limits") {
            return "Each limit has a variable: \(Setting.variable("limits-start-per-address"))=1000/600"
        }
        return nearest(to: name, in: known).map { "Did you mean \($0)?" } ?? "See countersign serve --help."
    }

    /// The most similar known name, if it is similar enough for a typing error.
    private static func nearest(to name: String, in known: Set<String>) -> String? {
        let ranked = known.map { (name: $0, distance: distance($0, name)) }
        guard let best = ranked.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }), best.distance <= 3 else {
            return nil
        }
        return best.name
    }

    /// The number of letters to add, remove or replace to make one text of the other.
    private static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right)
        var row = Array(0...right.count)
        for (line, letter) in left.enumerated() {
            var corner = row[0]
            row[0] = line + 1
            for column in right.indices {
                let replaced = corner + (letter == right[column] ? 0 : 1)
                corner = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, corner + 1)
            }
        }
        return row[right.count]
    }
}
