import Foundation
import Testing

@testable import CountersignServer

/// The page of the operator says what the server does.
@Suite("The page about limits")
struct LimitsDocumentTests {
    private static let page = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .appending(path: "../../../Documentation/Limits.md")

    private let text: String

    init() throws {
        text = try String(contentsOf: Self.page, encoding: .utf8)
    }

    /// The row of a limit in the table.
    private static func row(of rule: LimitRule) -> String {
        let declaration = rule.declaration
        let beyond =
            switch declaration.manner {
            case .refuses: "refused until the end of the span"
            case .delays: "the next attempt is delayed, at most two minutes"
            case .pauses: "the next message is delayed, each time twice as long"
            case .silences: "no notification; the request waits in the inbox"
            case .alarms: "nothing is refused"
            }
        let alarm = rule.raisesAlarm ? "; alert" : ""
        return "| `\(rule.rawValue)` | \(declaration.standard) | \(declaration.counted) | \(beyond)\(alarm) |"
    }

    @Test func `has a row for each limit as it is declared, in order, and no other`() {
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(rows.map(String.init) == LimitRule.allCases.map(Self.row))
    }

    @Test func `names no limit that there is not`() {
        let names = text.matches(of: #/`([a-z]+(?:-[a-z]+)*-(?:per-[a-z]+|overall|of-owners))`/#).map { String($0.1) }
        #expect(names.count > LimitRule.allCases.count)
        for name in names { #expect(LimitRule(rawValue: name) != nil, "\(name)") }
    }

    @Test func `has examples that can be read`() throws {
        let flags = text.matches(of: #/--limit ([a-z-]+)=(\S+)/#).map { (String($0.1), String($0.2)) }
        let variables = text.matches(of: #/COUNTERSIGN_LIMITS_([A-Z_]+)=(\S+)/#).map {
            ($0.1.lowercased().replacing("_", with: "-"), String($0.2))
        }
        let members = text.matches(of: #/"limits": \{ "([a-z-]+)": "([^"]+)" \}/#).map { (String($0.1), String($0.2)) }
        #expect(flags.count == 2 && variables.count == 1 && members.count == 1)
        for (name, value) in flags + variables + members {
            #expect(LimitRule(rawValue: name) != nil, "\(name)")
            #expect(value == "off" || Limit(parsing: value) != nil, "\(value)")
        }
    }
}
