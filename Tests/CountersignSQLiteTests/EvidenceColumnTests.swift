import Countersign
import Foundation
import Testing

@testable import CountersignSQLite

@Suite("Evidence in a column")
struct EvidenceColumnTests {
    @Test(arguments: [
        Evidence(), Evidence([.codeTyped]), Evidence([.signedInBefore, .accountPassword(at: noon)]),
        Evidence([.linkOpened, .codeTyped]),
        Evidence([.accountPassword(at: noon + 0.123_456_789), .codeTyped]),
        Evidence([.accountPassword(at: Date(timeIntervalSinceReferenceDate: -1e-9)), .linkOpened]),
        Evidence([.accountPassword(at: Date(timeIntervalSinceReferenceDate: 1e20))]),
        Evidence([.accountPassword(at: noon), .nearby(how: .code, sameNetwork: .unknown)]),
        Evidence([.nearby(how: .paired(at: noon - 0.123_456_789), sameNetwork: .yes), .codeTyped]),
        Evidence([.nearby(how: .paired(at: noon), sameNetwork: .no)]),
    ])
    func `is read as it was written, without a decoder`(evidence: Evidence) throws {
        #expect(Evidence(written: try documentText(evidence)) == evidence)
    }

    @Test(arguments: [
        "", "{}", "{\"proofs\":[", "{\"proofs\":[]} ", "{\"proofs\":[,]}", "{\"proofs\":[{\"codeTyped\":{}}",
        "{\"proofs\":[{\"codeTyped\":{}} ,{\"linkOpened\":{}}]}", "{\"proofs\":[{\"faceSeen\":{}}]}",
        "{\"proofs\":[{\"accountPassword\":{\"at\":x}}]}",
        "{\"proofs\":[{\"nearby\":{\"how\":{\"code\":{}},\"sameNetwork\":\"perhaps\"}}]}",
        "{\"proofs\":[{\"nearby\":{\"how\":{\"code\":{}}}}]}",
        "{\"proofs\":[{\"nearby\":{\"how\":{\"paired\":{}},\"sameNetwork\":\"yes\"}}]}",
        "{\"proofs\":[{\"nearby\":{\"how\":{\"paired\":{\"at\":nan}},\"sameNetwork\":\"yes\"}}]}",
        "{\"proofs\":[{\"accountPassword\":{\"at\":inf}}]}", "{\"proofs\":[{\"accountPassword\":{\"at\":nan}}]}",
    ])
    func `is left to the decoder in every other form`(text: String) {
        #expect(Evidence(written: text) == nil)
    }
}
