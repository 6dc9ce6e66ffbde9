import Countersign
import CountersignRequester
import Testing

@testable import CountersignCommand

@Suite("The ways of a rule")
struct PAMServiceRuleWaysTests {
    private static let confidential = ClientIdentity(ClientID("host1"), secret: ClientSecret(revealing: "hidden"))
    private static let people = PeopleMapping.file(["root": ["anna", "ben"], "deploy": ["carl"]])

    private static func rule(_ ways: Set<SignInWay>, _ evidence: [AuthenticationClass] = []) -> PAMServiceRule {
        var rule = PAMServiceRule(for: "sudo")
        rule.ways = ways
        rule.evidence = evidence
        return rule
    }

    @Test(
        arguments: [
            ([.push, .code], [], [.push, .code]), ([.push, .code], [.number], [.push, .code]),
            ([.push, .code, .nearby], [.nearby], [.nearby]),
            ([.push, .code, .nearby], [.deviceKey], [.push, .nearby]),
            ([.push, .code, .nearby], [.userVerified], [.push, .code]), ([.nearby], [.number], [.nearby]),
            ([.push, .code], [.nearby, .number], [.push, .code]), ([.push], [.nearby, .deviceKey], [.push]),
        ] as [(Set<SignInWay>, [AuthenticationClass], Set<SignInWay>)])
    func `are those that prove one of its evidence`(
        ways: Set<SignInWay>, evidence: [AuthenticationClass], possible: Set<SignInWay>
    ) throws {
        let rule = Self.rule(ways, evidence)
        #expect(try rule.ways(for: "sudo", as: Self.confidential, byName: true) == possible)
        let others = possible.subtracting([.push])
        let clients: [(ClientIdentity, Bool)] = [(Self.confidential, false), ("screens", true), ("screens", false)]
        for (client, byName) in clients {
            #expect(((try? rule.ways(for: "sudo", as: client, byName: byName)) ?? []) == others)
        }
    }

    @Test(
        arguments: [
            (
                [.push, .code], [.nearby], "push and code do not prove nearby",
                "Add nearby to its ways, or demand other evidence."
            ),
            (
                [.code], [.deviceKey], "code does not prove device_key",
                "Add push or nearby to its ways, or demand other evidence."
            ),
            (
                [.nearby], [.userVerified], "nearby does not prove user_verified",
                "Add push or code to its ways, or demand other evidence."
            ),
        ] as [(Set<SignInWay>, [AuthenticationClass], String, String)])
    func `are none where they prove no evidence`(
        ways: Set<SignInWay>, evidence: [AuthenticationClass], reason: String, advice: String
    ) {
        #expect(throws: ClosedRuleError(reason: "The rule of sudo lets nobody in: \(reason).", advice: advice)) {
            try Self.rule(ways, evidence).ways(for: "sudo", as: Self.confidential, byName: true)
        }
    }

    @Test func `are none where push alone asks nobody`() {
        let advice = "Add code or nearby to its ways."
        #expect(
            throws: ClosedRuleError(
                reason: "The rule of sudo lets nobody in: push needs a client with a secret.", advice: advice)
        ) {
            try Self.rule([.push]).ways(for: "sudo", as: "screens", byName: true)
        }
        #expect(
            throws: ClosedRuleError(
                reason:
                    "The rule of sudo lets nobody in: push asks one person by name, and people names none or several.",
                advice: advice)
        ) {
            try Self.rule([.push]).ways(for: "sudo", as: Self.confidential, byName: false)
        }
    }

    @Test func `are checked for each kind of people, and once for login shells`() {
        func findings(_ rule: PAMServiceRule, _ people: PeopleMapping) -> [String] {
            PAMRuleCheck(services: ["sudo": rule, "sudo-i": rule], client: Self.confidential, people: people)
                .findings.map(\.finding)
        }
        let closed = "The rule of sudo lets nobody in: push asks one person by name, and people names none or several."
        #expect(findings(Self.rule([.push]), .username) == [])
        #expect(findings(Self.rule([.push]), .claim("unix")) == [closed])
        #expect(findings(Self.rule([.push]), Self.people) == [closed])
        #expect(findings(Self.rule([.push]), .file(["deploy": ["carl"]])) == [])
        #expect(findings(Self.rule([.push, .code]), Self.people) == [])
        let unproved = "The rule of sudo lets nobody in: push and code do not prove nearby."
        #expect(findings(Self.rule([.push, .code], [.nearby]), .username) == [unproved])
    }

    @Test func `go by a name for people with one`() {
        #expect(PeopleMapping.username.isAskedByName == [true])
        #expect(PeopleMapping.claim("unix").isAskedByName == [false])
        #expect(Self.people.isAskedByName == [true, false])
        #expect(PeopleMapping.file([:]).isAskedByName == [])
    }
}
