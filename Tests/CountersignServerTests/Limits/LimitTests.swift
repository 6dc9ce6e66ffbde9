import Countersign
import CountersignServer
import Testing

@Suite("A limit")
struct LimitTests {
    @Test func `is written as times and seconds`() {
        #expect(Limit(parsing: "10/60") == Limit(10, in: 60))
        #expect("\(Limit(10, in: 60))" == "10/60")
    }

    @Test(arguments: [
        "", "10", "/", "10/", "/60", "0/60", "10/0", "-1/60", "10/60/1", "ten/60", "10/86401", "1e3/60", "10 /60",
    ])
    func `is read from no text that is malformed`(text: String) {
        #expect(Limit(parsing: text) == nil)
    }
}

@Suite("The limits of a server")
struct LimitsTests {
    @Test func `are those that are declared, and can be changed and switched off one by one`() {
        var limits = Limits()
        for rule in LimitRule.allCases { #expect(limits[rule] == rule.declaration.standard) }
        limits[.guessPerAddress] = nil
        limits[.codePerAccount] = Limit(1, in: 2)
        #expect(limits[.guessPerAddress] == nil)
        #expect(limits[.codePerAccount] == Limit(1, in: 2))
        #expect(limits[.passwordPerAccount] == Limit(100, in: 3600))
    }
}
