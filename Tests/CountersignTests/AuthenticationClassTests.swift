import Countersign
import Foundation
import Testing

@Suite("How surely a person proved who they are")
struct AuthenticationClassTests {
    private static let noon = Date(timeIntervalSince1970: 1_800_000_000)
    private static let password = Evidence([.accountPassword(at: noon)])
    private static let twoFactors = Evidence([
        .accountPassword(at: noon), .secondFactor(.oneTimePassword, at: noon),
    ])
    private static let passkey = Evidence([.passkey(at: noon)])
    private static let federated = Evidence([
        .federated(issuer: IdentityIssuer("https://a.example"), how: .browser, at: noon)
    ])
    private static let device = Evidence([
        .accountPassword(at: noon - 86_400), .decisionSigned, .verifiedByDevice(at: noon),
    ])
    private static let signed = Evidence([.accountPassword(at: noon), .decisionSigned])

    private static let cases: [(Evidence, Set<AuthenticationClass>)] = [
        (password, [.password]),
        (twoFactors, [.password, .secondFactor]),
        (passkey, [.password, .secondFactor, .userVerified, .passkey]),
        (device, [.password, .secondFactor, .userVerified, .deviceKey]),
        (federated, [.federated]),
        (signed, [.password, .secondFactor, .deviceKey]),
        (Evidence([.accountPassword(at: noon), .numberMatched]), [.password, .number]),
        (Evidence([.accountPassword(at: noon), .redirected]), [.password, .number, .nearby]),
        (
            Evidence([.accountPassword(at: noon), .nearby(how: .code, sameNetwork: .no)]),
            [.password, .number, .nearby, .deviceKey]
        ),
        (Evidence([.numberMatched, .decisionSigned]), []),
        (Evidence([.crossDevice(at: noon), .numberMatched]), [.number]),
        (Evidence([.codeTyped]), []),
    ]

    @Test(arguments: cases)
    func `is enough for its own class and for weaker ones`(evidence: Evidence, reached: Set<AuthenticationClass>) {
        #expect(Set(AuthenticationClass.allCases.filter(evidence.reaches)) == reached)
    }

    @Test func `is asked for by names, of which those that are not known are left out`() {
        let names = [
            "urn:x", "urn:countersign:acr:passkey", "urn:countersign:acr:passkey", "urn:countersign:acr:password",
        ]
        #expect(AuthenticationClass.known(among: names) == [.passkey, .password])
        #expect(AuthenticationClass.known(among: ["urn:countersign:acr:possession", ""]).isEmpty)
    }

    @Test func `has to reach one of the classes that a client asks for`() {
        let demands = ScopeDemands.none.reaching([.passkey, .secondFactor])
        #expect(demands.isClassReached(by: Self.twoFactors) && demands.isClassReached(by: Self.passkey))
        #expect(!demands.isClassReached(by: Self.password) && !demands.isClassReached(by: Self.federated))
        #expect(ScopeDemands.none.reaching([]).isClassReached(by: Self.password))
    }

    @Test func `is never asked for less than a scope demands`() {
        let sure = ScopeDemands([.secondFactor])
        #expect(sure.reaching([.password]) == sure, "it is implied")
        #expect(sure.reaching([.federated]) == sure, "it contradicts")
        #expect(sure.reaching([.passkey]) == ScopeDemands([.secondFactor], reaching: [.passkey]))
        #expect(ScopeDemands([.userVerified]).reaching([.userVerified]).classes.isEmpty)
        #expect(ScopeDemands([.userVerified]).reaching([.passkey]).classes == [.passkey], "a device is enough")
    }

    @Test func `is named as the client asked for it, where more was proved`() {
        let demands = ScopeDemands.none.reaching([.secondFactor])
        #expect(demands.naming(Self.passkey).authenticationClass == .secondFactor)
        #expect(demands.naming(Self.twoFactors) == Self.twoFactors)
        #expect(demands.naming(Self.password) == Self.password)
        #expect(ScopeDemands.none.naming(Self.passkey).authenticationClass == .passkey)
    }

    @Test func `is that of the device that verified its person, unless a passkey is asked for`() {
        let noon = Self.noon
        let enrolled = Evidence([.passkey(at: noon - 86_400), .decisionSigned])
        let verified = ScopeDemands.none.adding(verificationAt: noon, to: enrolled)
        #expect(verified.authenticationClass == .userVerified && verified.authenticated == noon)
        #expect(ScopeDemands([.userVerified]).adding(verificationAt: noon, to: enrolled) == verified)
        let demands = ScopeDemands.none.reaching([.passkey])
        #expect(demands.adding(verificationAt: noon, to: enrolled) == enrolled)
        #expect(demands.adding(verificationAt: noon, to: Self.signed).isUserVerified)
    }
}
