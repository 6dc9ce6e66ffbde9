import Countersign
import CountersignRequester
import CountersignResource
import CountersignWire
import Foundation
import Hummingbird
import Testing

@Suite("The examples of evidence")
struct EvidenceExamples {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func `tell what was proved`() {
        let evidence = Evidence([.accountPassword(at: now), .nearby(how: .code, sameNetwork: .yes)])
        let claim = EvidenceClaim(evidence)  // way: nearby, proximity: link

        #expect(claim.way == .nearby && claim.proximity == .link)
    }

    func require(_ base: ResourceGuard<BasicResourceRequestContext>) {
        let guarded = base.requiringAuthentication([.nearby, .deviceKey])
        _ = guarded
    }

    func stepUp(_ challenge: StepUpChallenge) {
        let options = SignInOptions(answering: challenge)
        _ = options
    }
}
