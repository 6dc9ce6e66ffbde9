import CountersignServer
import Testing

@Suite("The declarations of limits")
struct LimitRuleTests {
    @Test func `are 27, each with a name of its own`() {
        #expect(LimitRule.allCases.count == 28)
        #expect(Set(LimitRule.allCases.map(\.rawValue)).count == 28)
        for rule in LimitRule.allCases {
            #expect(LimitRule(rawValue: rule.rawValue) == rule)
            let words = rule.rawValue.split(separator: "-", omittingEmptySubsequences: false)
            #expect(words.count > 1, "\(rule.rawValue)")
            #expect(words.allSatisfy { !$0.isEmpty && $0.allSatisfy { ("a"..."z").contains($0) } }, "\(rule.rawValue)")
        }
    }

    /// They stand in the middle of sentences, and in one cell of the table in `Documentation/Limits.md`.
    @Test(arguments: LimitRule.allCases)
    func `say what is counted, as a phrase of one line`(rule: LimitRule) {
        let counted = rule.declaration.counted
        #expect(counted.count > 20 && counted.last?.isLetter == true)
        #expect(!counted.contains { $0 == "\n" || $0 == "|" } && !counted.contains("  "))
    }

    @Test func `say it of each in other words`() {
        #expect(Set(LimitRule.allCases.map(\.declaration.counted)).count == 28)
    }

    @Test(arguments: LimitRule.allCases)
    func `name a standard that can be written in settings`(rule: LimitRule) {
        let standard = rule.declaration.standard
        #expect(Limit(parsing: "\(standard)") == standard)
    }
}
