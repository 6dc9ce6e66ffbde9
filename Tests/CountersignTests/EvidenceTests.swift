import Countersign
import Foundation
import Testing

@Suite("Evidence")
struct EvidenceTests {
    @Test func `says how the person last authenticated`() {
        let issuer = IdentityIssuer("https://id.example")
        let evidence = Evidence([
            .accountPassword(at: noon), .federated(issuer: issuer, how: .browser, at: noon + 1), .codeTyped,
        ])
        #expect(evidence.authentication?.how == .federated(issuer: issuer, how: .browser))
        #expect(evidence.authenticated == noon + 1)
        #expect(Evidence([.codeTyped]).authentication == nil)
        let ways: [Authentication] = [
            .password, .passwordAnd(.oneTimePassword), .passwordAnd(.recoveryCode), .passkey, .crossDevice,
        ]
        for how in ways {
            let evidence = Evidence(Evidence.proofs(of: how, at: noon) + [.codeTyped])
            #expect(evidence.authentication?.how == how && evidence.authenticated == noon)
        }
        let confirmed = Evidence([.accountPassword(at: noon), .userVerified(at: noon + 9)])
        #expect(confirmed.authentication?.how == .passkey && confirmed.authenticated == noon + 9)
        let atOnce = Evidence([.accountPassword(at: noon), .userVerified(at: noon)])
        #expect(atOnce.authentication?.how == .passkey, "of two at the same instant, the later one")
    }

    @Test(arguments: FederatedProof.allCases)
    func `connects a person with the app that brought the word of another provider`(how: FederatedProof) {
        let evidence = Evidence([.federated(issuer: IdentityIssuer("https://id.example"), how: how, at: noon)])
        #expect(evidence.knowsTheScreen == (how != .browser))
        #expect(!evidence.isNearby)
    }

    private let noon = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func `starts out empty and proves nothing`() {
        #expect(Evidence().proofs.isEmpty)
        #expect(Evidence().authenticated == nil)
        #expect(!Evidence().namesTheCode)
    }

    @Test func `keeps what was proved in its order, each thing once`() {
        var evidence = Evidence([.accountPassword(at: noon)])
        evidence.add(.codeTyped)
        evidence.add(.codeTyped)
        evidence.add(.accountPassword(at: noon))
        evidence.add(.accountPassword(at: noon + 1))
        #expect(evidence.proofs == [.accountPassword(at: noon), .codeTyped, .accountPassword(at: noon + 1)])
    }

    @Test func `dates from the last time that the person proved who they are`() {
        let evidence = Evidence([.accountPassword(at: noon + 60), .codeTyped, .accountPassword(at: noon)])
        #expect(evidence.authenticated == noon + 60)
    }

    @Test func `of a code alone authenticates nobody`() {
        #expect(Evidence([.codeTyped, .linkOpened]).authenticated == nil)
    }

    @Test(arguments: [
        ([Evidence.Proof.codeTyped], true), ([.linkOpened], true), ([.linkOpened, .codeTyped], true), ([], false),
        ([.accountPassword(at: Date(timeIntervalSince1970: 0))], false),
    ])
    func `names the code when it was typed or came by a link`(proofs: [Evidence.Proof], expected: Bool) {
        #expect(Evidence(proofs).namesTheCode == expected)
    }

    @Test(arguments: [
        ([Evidence.Proof.linkOpened], true), ([.linkOpened, .signedInBefore], true),
        ([.linkOpened, .codeTyped], false), ([.codeTyped], false), ([.ticketPresented], false), ([], false),
    ])
    func `comes by a link unless the code was typed, too`(proofs: [Evidence.Proof], expected: Bool) {
        #expect(Evidence(proofs).isByLink == expected)
    }

    @Test func `knows the screen by its code, or by a client that the person signed in before`() {
        #expect(Evidence([.codeTyped]).knowsTheScreen)
        #expect(Evidence([.linkOpened]).knowsTheScreen)
        #expect(Evidence([.personCodeTyped]).knowsTheScreen && !Evidence([.personCodeTyped]).namesTheCode)
        #expect(Evidence([.signedInBefore]).knowsTheScreen)
        #expect(!Evidence([.signedInBefore]).namesTheCode)
        #expect(!Evidence([.accountPassword(at: noon)]).knowsTheScreen)
    }

    @Test(arguments: [
        (NearbyProof.code, SameNetwork.no, true), (.code, .unknown, true), (.code, .yes, true),
        (.paired(at: Date(timeIntervalSince1970: 0)), .yes, true),
        (.paired(at: Date(timeIntervalSince1970: 0)), .no, false),
        (.paired(at: Date(timeIntervalSince1970: 0)), .unknown, false),
    ])
    func `of a link is nearby by digits, or by a pairing in the same network`(
        how: NearbyProof,
        sameNetwork: SameNetwork,
        expected: Bool
    ) {
        let evidence = Evidence([.nearby(how: how, sameNetwork: sameNetwork)])
        #expect(evidence.isNearby == expected && evidence.knowsTheScreen == expected)
        #expect(!evidence.namesTheCode && evidence.authenticated == nil)
    }

    @Test func `of a code, a link or an earlier sign-in is not nearby`() {
        #expect(!Evidence([.personCodeTyped]).isNearby)
        #expect(!Evidence([.codeTyped, .linkOpened, .signedInBefore, .accountPassword(at: noon)]).isNearby)
    }

    @Test func `is stored and read back, to the fraction of a second`() throws {
        let evidence = Evidence([
            .accountPassword(at: noon + 0.123_456), .codeTyped, .linkOpened, .signedInBefore,
            .nearby(how: .paired(at: noon + 0.123_456), sameNetwork: .no), .nearby(how: .code, sameNetwork: .yes),
        ])
        #expect(try JSONDecoder().decode(Evidence.self, from: JSONEncoder().encode(evidence)) == evidence)
    }
}
