import Foundation
import Testing

@testable import Countersign

@Suite("A sign-in exchange")
struct SignInExchangeTests {
    @Test func `that is approved over a link goes to the screen that names it, and is closed for any other`() throws {
        let (mine, other) = (
            try #require(NearbyLinkID([UInt8](repeating: 1, count: 32))),
            try #require(NearbyLinkID([UInt8](repeating: 2, count: 32)))
        )
        let approved = Sample.exchange(.approved(Sample.grant(), by: Sample.anna, over: mine))
        var (patient, right, wrong) = (approved, approved, approved)
        #expect(patient.redeem(at: noon + 35) == .wait)
        #expect(patient == approved)
        #expect(right.redeem(over: [other, mine], at: noon + 35) == .granted(Sample.grant()))
        #expect(wrong.redeem(over: [other], at: noon + 35) == .otherLink)
        #expect(wrong.redeem(over: [mine], at: noon + 36) == .denied)
        var late = approved
        #expect(late.redeem(over: [mine], at: Sample.deadline) == .expired)
    }

    @Test func `that was approved without a link does not ask for one`() throws {
        let other = try #require(NearbyLinkID([UInt8](repeating: 2, count: 32)))
        var exchange = Sample.exchange(.approved(Sample.grant(), by: Sample.anna))
        #expect(exchange.redeem(over: [other], at: noon + 35) == .granted(Sample.grant()))
    }

    private let noon = Sample.noon

    @Test func `tells the whole story`() throws {
        var exchange = SignInExchange(request: Sample.request)
        #expect(exchange.redeem(at: noon + 5) == .wait)
        try exchange.take(by: Sample.anna, at: noon + 10)
        #expect(exchange.redeem(at: noon + 15) == .wait)
        #expect(exchange.grant == nil)

        try exchange.record(.approve(Sample.grant()), by: Sample.anna, at: noon + 30)
        #expect(exchange.grant == Sample.grant())
        #expect(exchange.redeem(at: noon + 35) == .granted(Sample.grant()))
        #expect(exchange.grant == Sample.grant())
        #expect(exchange.redeem(at: noon + 40) == .alreadySpent)
    }

    @Test func `tells of a denial for as long as it is asked`() throws {
        var exchange = Sample.taken()
        try exchange.record(.deny, by: Sample.anna, at: noon + 30)
        #expect(exchange.redeem(at: noon + 35) == .denied)
        #expect(exchange.redeem(at: noon + 40) == .denied)
        #expect(exchange.redeem(at: Sample.deadline + 3_600) == .denied)
        #expect(exchange.grant == nil)
    }

    @Test func `hands out its grant once`() {
        var exchange = Sample.exchange(.approved(Sample.grant(), by: Sample.anna))
        #expect(exchange.redeem(at: noon + 35) == .granted(Sample.grant()))
        for later in [35, 36, 599, 600, 6_000] as [Double] {
            #expect(exchange.redeem(at: noon + later) == .alreadySpent)
        }
    }

    @Test(arguments: [
        SignInExchange.State.open,
        .taken(Taking(approver: Sample.anna, evidence: Evidence(), taken: Sample.deadline - 1)),
    ])
    func `expires at its deadline while nobody has decided`(state: SignInExchange.State) {
        var exchange = Sample.exchange(state)
        #expect(exchange.redeem(at: Sample.deadline - 0.001) == .wait)
        #expect(exchange.redeem(at: Sample.deadline) == .expired)
        #expect(exchange.redeem(at: Sample.deadline + 1) == .expired)
        #expect(exchange == Sample.exchange(state))
    }

    @Test func `expires at its deadline with an approval that nobody fetched`() {
        let state = SignInExchange.State.approved(Sample.grant(approved: Sample.deadline - 1), by: Sample.anna)
        var late = Sample.exchange(state)
        #expect(late.redeem(at: Sample.deadline) == .expired)
        #expect(late == Sample.exchange(state))

        var inTime = Sample.exchange(state)
        #expect(inTime.redeem(at: Sample.deadline - 0.001) == .granted(Sample.grant(approved: Sample.deadline - 1)))
    }

    @Test(arguments: [
        (SignInExchange.State.open, Grant?.none),
        (.taken(Taking(approver: Sample.anna, evidence: Evidence(), taken: Sample.noon)), nil),
        (.approved(Sample.grant(), by: Sample.anna), Sample.grant()),
        (.redeemed(Sample.grant(), at: Sample.noon + 35), Sample.grant()),
        (.denied(by: Sample.anna), nil),
    ])
    func `has a grant from its approval on`(state: SignInExchange.State, grant: Grant?) {
        #expect(Sample.exchange(state).grant == grant)
    }
}
