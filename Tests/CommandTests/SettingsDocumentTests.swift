import CountersignServer
import CountersignWire
import Foundation
import Testing

@testable import CountersignCommand

/// The page of the operator says which settings the command takes.
@Suite("The page about settings")
struct SettingsDocumentTests {
    private static let page = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .appending(path: "../../Documentation/Settings.md")

    @Test func `has a row for each setting as it is declared, in order, and no other`() throws {
        let rows = try String(contentsOf: Self.page, encoding: .utf8).split(separator: "\n").filter {
            $0.hasPrefix("| `")
        }
        let declared = Setting.all.map { "| `\($0.key)` | \($0.valueName ?? "true or false") | \($0.help) |" }
        #expect(rows.map(String.init) == declared)
    }

    @Test func `names the defaults of the server`() throws {
        let standard = ServerSettings(issuer: try Issuer("https://id.example.com"))
        let defaults = [
            "longest-wait": standard.longestWait, "session-lifetime": Int(standard.browserSessionLifetime),
            "lost-answer-window": Int(standard.lostAnswerWindow),
            "account-removal-delay": standard.accountRemovalDelay,
            "audit-lifetime": Int(standard.auditLifetime / 86_400),
            "phone-move-delay": Int(standard.phoneNumbers.moveDelay), "drain-time": 0,
            "longest-service": Int(standard.longestService),
        ]
        #expect(Set(defaults.keys) == Set(Setting.all.filter { $0.form == .number }.map(\.key)))
        for (key, value) in defaults {
            #expect(Setting.byKey[key]?.help.contains("(default: \(value)") == true, "\(key)")
        }
        #expect(Setting.byKey["brand-name"]?.help.contains("(default: \(standard.brand.name))") == true)
        #expect(Setting.byKey["language"]?.help.contains("(default: \(standard.language.tag))") == true)
    }
}
