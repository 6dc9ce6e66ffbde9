import Countersign
import CountersignRequester
import CountersignWire
import Testing

@testable import CountersignCommand

@Suite("The decision about a person who approved for a host")
struct PAMDecisionTests {
    private static let anna = UserInfoClaims(
        texts: ["sub": "1", "preferred_username": "anna", "unix": "ann"], lists: ["groups": ["staff", "admins"]])

    private static func identity(_ subject: String = "1", _ proofs: [Evidence.Proof] = []) -> VerifiedIdentity {
        VerifiedIdentity(
            restoring: "https://id.example.com", subject: Subject(rawValue: subject), name: "Anna", username: "anna",
            email: nil, evidence: EvidenceClaim(Evidence(proofs)))
    }

    private static func decision(
        _ proofs: [Evidence.Proof] = [],
        expecting expected: PeopleMapping.Expectation = .usernames(["anna"]),
        by change: (inout PAMServiceRule) -> Void = { _ in }
    ) -> PAMDecision {
        var rule = PAMServiceRule(for: "sudo")
        change(&rule)
        return PAMDecision(about: identity("1", proofs), anna, expecting: expected, by: rule)
    }

    @Test func `lets the person of the user in, by name, among several, or by a claim`() {
        #expect(Self.decision() == .accepted)
        #expect(Self.decision(expecting: .usernames(["anna", "ben"])) == .accepted)
        #expect(Self.decision(expecting: .claim("unix", value: "ann")) == .accepted)
    }

    @Test(arguments: [
        PeopleMapping.Expectation.usernames(["ben"]), .usernames(["Anna"]), .usernames([]),
        .claim("unix", value: "anna"), .claim("absent", value: ""), .claim("groups", value: "staff"),
        .nobody(isAskedByName: true), .nobody(isAskedByName: false),
    ])
    func `refuses another person`(expected: PeopleMapping.Expectation) {
        #expect(Self.decision(expecting: expected) != .accepted)
    }

    @Test func `refuses claims about another person than the ID token`() {
        let rule = PAMServiceRule(for: "sudo")
        for identity in [Self.identity("2"), nil] {
            #expect(
                PAMDecision(about: identity, Self.anna, expecting: .usernames(["anna"]), by: rule) != .accepted)
        }
        let nobody = UserInfoClaims(texts: ["preferred_username": "anna"])
        #expect(
            PAMDecision(about: Self.identity(), nobody, expecting: .usernames(["anna"]), by: rule) != .accepted)
    }

    @Test func `demands one of the pieces of evidence`() {
        #expect(Self.decision([.numberMatched]) { $0.evidence = [.number] } == .accepted)
        #expect(Self.decision([.numberMatched]) { $0.evidence = [.nearby, .number] } == .accepted)
        #expect(Self.decision([.decisionSigned]) { $0.evidence = [.nearby, .deviceKey] } == .accepted)
        #expect(Self.decision([.namedByClient]) { $0.evidence = [.number] } != .accepted)
        #expect(Self.decision([.numberMatched]) { $0.evidence = [.nearby, .deviceKey] } != .accepted)
    }

    @Test func `demands one of the groups`() {
        #expect(Self.decision { $0.groups = ["admins", "others"] } == .accepted)
        #expect(Self.decision { $0.groups = ["others"] } != .accepted)
        #expect(Self.decision { $0.groups = ["Admins"] } != .accepted)
    }

    @Test(arguments: [
        (SignInError.Code.denied, PAMVerdict.denied), (.expired, .denied), (.cancelled, .denied),
        (.strongerWayNeeded, .denied), (.signedOut, .denied), (.accountLocked, .denied),
        (.notReachable, .unavailable), (.serverFailure, .unavailable), (.notTrusted, .unavailable),
        (.tooFast, .denied), (.clientRefused, .failed), (.scopeRefused, .failed), (.badAnswer, .failed),
        (.identityRefused, .failed), (.flowNotOffered, .failed), (.issuerMismatch, .failed),
    ])
    func `is never a success where the sign-in failed`(code: SignInError.Code, verdict: PAMVerdict) {
        let error = SignInError(code, because: "of a test")
        var rule = PAMServiceRule(for: "sudo")
        #expect(PAMVerdict(error, by: rule) == verdict)
        rule.fallback = .deny
        #expect(PAMVerdict(error, by: rule) == (verdict == .unavailable ? .denied : verdict))
    }
}

@Suite("A host whose configuration has mistakes")
struct PAMWithoutRulesTests {
    @Test(arguments: [
        ([], PAMVerdict.unknown), (["rhost 192.0.2.7"], .failed), (["rhost localhost"], .failed),
        (["rhost ?"], .failed),
    ])
    func `leaves its own users to the next line, and refuses those from elsewhere`(
        members: [String], verdict: PAMVerdict
    ) throws {
        let lines = ["version 1", "event authenticate", "service su", "user root", "pid 9", "parent 8", "timeout 60"]
        #expect(PAMVerdict(withoutRulesFor: try PAMHead(lines + members)) == verdict)
    }
}

@Suite("The local user whose person is asked")
struct PAMAskedUserTests {
    private static func asked(_ members: String..., by asks: PAMServiceRule.Asked = .caller) throws -> String? {
        let lines = ["version 1", "event authenticate", "service su", "user root", "pid 9", "parent 8", "timeout 60"]
        var rule = PAMServiceRule(for: "su")
        rule.asks = asks
        return try rule.localUser(in: PAMHead(lines + members))
    }

    @Test func `is the one who signs in, or who called`() throws {
        #expect(try Self.asked("ruser anna") == "anna")
        #expect(try Self.asked("ruser anna", "rhost 192.0.2.7", by: .user) == "root")
        #expect(try Self.asked() == nil)
    }

    @Test(arguments: ["rhost 192.0.2.7", "rhost localhost", "rhost ?"])
    func `is no caller on another host, whose name nobody has proved`(host: String) throws {
        #expect(throws: CommandError.self) { try Self.asked("ruser anna", host) }
    }
}
