import CountersignStorage
import Foundation
import Testing

@Suite("The acts of the audit")
struct AuditActTests {
    @Test func `are all in one list, in the order of their declarations`() throws {
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/CountersignStorage/Records/AuditAct.swift")
        let declared = try String(contentsOf: source, encoding: .utf8).matches(of: /= AuditAct\("([a-z_.]+)"\)/)
        #expect(!declared.isEmpty && AuditAct.all.map(\.rawValue) == declared.map { String($0.1) })
    }
}
