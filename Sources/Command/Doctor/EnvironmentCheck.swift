internal import Countersign
internal import Foundation

/// Checks the environment variables, because a misspelt one has no effect. Other programs may use such names too, so
/// the findings are notes only.
struct EnvironmentCheck {
    private let names: [String]

    init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        // Unknown limits are refused: LimitSettings.requireKnownVariables(in:).
        names = environment.keys.filter { name in
            name.hasPrefix("COUNTERSIGN_")
                && !["COUNTERSIGN_TEST_", LimitSettings.variablePrefix].contains(where: name.hasPrefix)
        }.sorted()
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
        return Suggestion(from: known).question(for: name, behind: Setting.variable(""))
            ?? "See countersign serve --help."
    }
}
