import Countersign
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

@Suite("The terms of a request of a customer's site")
struct CustomerSiteTermsTests {
    private let noon = Date(timeIntervalSince1970: 1_800_000_000)
    private let right = DigitsCode(restoring: "right")
    private let wrong = DigitsCode(restoring: "wrong")

    private func record(
        _ state: SignInExchange.State = .open,
        by method: SignInMethod = .customerSite(.sample(of: CustomerSiteID("bank")))
    ) -> SignInExchangeRecord {
        let request = SignInRequest(
            id: SignInRequest.ID("request"), client: .verified(ClientID("bank")), scope: .verified(.none),
            addressee: Subject("anna"), asked: .observed(noon), deadline: noon + 60)
        return SignInExchangeRecord(
            exchange: SignInExchange(restoring: request, in: state), requestCode: SecretDigest(of: "code"),
            method: method, interval: 5)
    }

    @Test func `count each wrong number, and end with the third`() {
        var number = NumberToMatch(right)
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

    @Test func `prove the number that was matched`() {
        let bank = CustomerSiteID("bank")
        let number = NumberToMatch(right)
        let terms = BackchannelTerms(deliveryMode: .poll, bindingMessage: nil)
        let numbered = BackchannelTerms(deliveryMode: .poll, bindingMessage: nil, number: number)
        let expected: [(SignInMethod, SignInExchangeRecord.Match)] = [
            (.backchannel(terms), .notAsked), (.singleSignOn, .notAsked),
            (.backchannel(numbered), .matched(.numberMatched)),
            (.customerSite(.sample(.number(number), of: bank)), .matched(.numberMatched)),
            (
                .customerSite(.sample(.password(RequestPassword(right, sealed: [])), of: bank)),
                .matched(.possession(.deliveredPassword, at: noon))
            ),
        ]
        for (method, match) in expected {
            var stored = record(by: method)
            #expect(stored.match(right, isTaker: false, at: noon) == match)
        }
    }

    @Test func `keep the wrong numbers that were typed`() {
        let numbered = BackchannelTerms(
            deliveryMode: .poll, bindingMessage: nil, number: NumberToMatch(right))
        for method in [SignInMethod.backchannel(numbered), .customerSite(.sample(of: CustomerSiteID("bank")))] {
            var stored = record(by: method)
            for _ in 1...2 { #expect(stored.match(wrong, isTaker: false, at: noon) == .missed) }
            #expect(stored.match(wrong, isTaker: false, at: noon) == .spent)
            #expect(stored.method.number?.misses == 3)
        }
    }

    @Test func `give a request its status in every state and at every time`() {
        let anna = ApproverIdentity(subject: Subject("anna"), id: ApproverID("device"))
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

    @Test func `say that a site's request has failed, once, and no other's`() {
        var stored = record()
        let isNoted = stored.noteUndeliverable()
        let isNotedAgain = stored.noteUndeliverable()
        #expect(isNoted && !isNotedAgain && stored.status(at: noon) == .failed)
        #expect(stored.status(at: noon + 60) == .failed)
        var other = record(by: .backchannel(BackchannelTerms(deliveryMode: .poll, bindingMessage: nil)))
        let isOther = other.noteUndeliverable()
        #expect(!isOther && other.status(at: noon) == .open)
        var decided = record(.denied(by: ApproverIdentity(subject: Subject("anna"), id: ApproverID("device"))))
        let isDecided = decided.noteUndeliverable()
        #expect(!isDecided && decided.status(at: noon) == .denied)
    }
}
