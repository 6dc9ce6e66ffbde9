import Countersign
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

@Suite("The terms of a request for enrolled devices")
struct AuthenticatorTermsTests {
    private let noon = Date(timeIntervalSince1970: 1_800_000_000)
    private let right = DigitsCode(restoring: "right")
    private let wrong = DigitsCode(restoring: "wrong")

    private func record(
        _ state: SignInExchange.State = .open,
        environment: EnvironmentID? = EnvironmentID("bank")
    ) -> SignInExchangeRecord {
        let request = SignInRequest(
            id: SignInRequest.ID("request"), client: .verified(ClientID("bank")), scope: .verified(.none),
            addressee: Subject("anna"), asked: .observed(noon), deadline: noon + 60)
        return SignInExchangeRecord(
            exchange: SignInExchange(restoring: request, in: state), deviceCode: SecretDigest(of: "code"),
            userCode: UserCodeDigest(restoring: []), interval: 5,
            authenticator: AuthenticatorTerms(.instant, environment: environment))
    }

    @Test func `count each wrong number, and end with the third`() {
        var number = NumberToMatch(right, digits: 2)
        #expect(number.match(nil) == .missed)
        #expect(number.match(wrong) == .missed)
        #expect(number.match(wrong) == .missed)
        var other = number
        #expect(other.match(right) == .matched)
        #expect(number.match(wrong) == .spent)
        #expect(number.match(right) == .spent && number.misses == 3)
    }

    @Test func `count each wrong password, and end with the fifth`() {
        var password = RequestPassword(right, sealed: [])
        #expect(password.match(nil) == .missed)
        for _ in 1...4 { #expect(password.match(wrong) == .missed) }
        #expect(password.match(wrong) == .spent)
        #expect(password.match(right) == .spent)
    }

    @Test func `prove what was matched`() {
        var stored = record()
        #expect(stored.match(right, isTaker: false, at: noon) == .notAsked)
        stored.authenticator?.number = NumberToMatch(right, digits: 2)
        #expect(stored.match(right, isTaker: false, at: noon) == .matched(.numberMatched))
        stored.authenticator?.number = nil
        stored.authenticator?.password = RequestPassword(right, sealed: [])
        #expect(stored.match(right, isTaker: false, at: noon) == .matched(.possession(.deliveredPassword, at: noon)))
    }

    @Test func `give a request its status in every state and at every time`() {
        let anna = Approver(subject: Subject("anna"), id: ApproverID("device"))
        let grant = Grant(
            id: Grant.ID("grant"), subject: Subject("anna"), client: ClientID("bank"), scope: .none,
            evidence: Evidence(), approved: noon)
        let states: [(SignInExchange.State, AuthenticationRequest.Status, AuthenticationRequest.Status)] = [
            (.open, .open, .expired),
            (.taken(Taking(approver: anna, evidence: Evidence(), taken: noon)), .open, .expired),
            (.approved(grant, by: anna), .approved, .approved), (.redeemed(grant, at: noon), .approved, .approved),
            (.denied(by: anna), .denied, .denied),
        ]
        for (state, before, after) in states {
            #expect(record(state).status(at: noon + 59) == before)
            #expect(record(state).status(at: noon + 60) == after)
        }
    }

    @Test func `say that an environment's request has failed, once, and no other's`() {
        var stored = record()
        let isNoted = stored.noteUndeliverable()
        let isNotedAgain = stored.noteUndeliverable()
        #expect(isNoted && !isNotedAgain && stored.status(at: noon) == .failed)
        #expect(stored.status(at: noon + 60) == .failed)
        var other = record(environment: nil)
        let isOther = other.noteUndeliverable()
        #expect(!isOther && other.status(at: noon) == .open)
        var decided = record(.denied(by: Approver(subject: Subject("anna"), id: ApproverID("device"))))
        let isDecided = decided.noteUndeliverable()
        #expect(!isDecided && decided.status(at: noon) == .denied)
    }
}
