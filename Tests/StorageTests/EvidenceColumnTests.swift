import Countersign
import Foundation
import Testing

@testable import CountersignSQL

@Suite("Evidence in a column")
struct EvidenceColumnTests {
    @Test(arguments: [
        Evidence(), Evidence([.codeTyped]), Evidence([.signedInBefore, .accountPassword(at: noon)]),
        Evidence([.linkOpened, .knownBrowser, .codeTyped]), Evidence([.redirected, .decisionSigned]),
        Evidence([.decisionSigned, .numberMatched]), Evidence([.namedByClient]),
        Evidence([.accountPassword(at: noon + 0.123_456_789), .codeTyped]),
        Evidence([.accountPassword(at: Date(timeIntervalSinceReferenceDate: -1e-9)), .linkOpened]),
        Evidence([.accountPassword(at: Date(timeIntervalSinceReferenceDate: 1e20))]),
        Evidence([.accountPassword(at: noon), .nearby(how: .code, sameNetwork: .unknown)]),
        Evidence([.nearby(how: .paired(at: noon - 0.123_456_789), sameNetwork: .yes), .codeTyped]),
        Evidence([.nearby(how: .paired(at: noon), sameNetwork: .no)]),
        Evidence([.federated(issuer: IdentityIssuer("https://id.example/a?b"), how: .browser, at: noon + 0.5)]),
        Evidence([.federated(issuer: IdentityIssuer(""), how: .idToken, at: noon), .codeTyped]),
        Evidence([.passkey(at: noon), .userVerified(at: noon + 0.25)]),
        Evidence([.enrolledDevice(at: noon), .decisionSigned, .verifiedByDevice(at: noon + 0.25)]),
        Evidence([.accountPassword(at: noon), .secondFactor(.oneTimePassword, at: noon)]),
        Evidence([.secondFactor(.recoveryCode, at: noon + 0.5), .codeTyped]),
        Evidence([.passkey(at: noon), .reached(.secondFactor)]),
        Evidence([.accountPassword(at: noon), .ticketPresented]),
        Evidence([.codeTyped, .network(.yes), .network(.no), .network(.unknown)]),
        Evidence([.possession(.sharedSecret, at: noon + 0.5), .possession(.deliveredPassword, at: noon)]),
    ])
    func `is read as it was written, without a decoder`(evidence: Evidence) throws {
        #expect(Evidence(written: try written(evidence)) == evidence)
    }

    @Test(arguments: [
        "", "{}", "{\"proofs\":[", "{\"proofs\":[]} ", "{\"proofs\":[,]}", "{\"proofs\":[{\"codeTyped\":{}}",
        "{\"proofs\":[{\"codeTyped\":{}} ,{\"linkOpened\":{}}]}", "{\"proofs\":[{\"faceSeen\":{}}]}",
        "{\"proofs\":[{\"accountPassword\":{\"at\":x}}]}",
        "{\"proofs\":[{\"nearby\":{\"how\":{\"code\":{}},\"sameNetwork\":\"perhaps\"}}]}",
        "{\"proofs\":[{\"nearby\":{\"how\":{\"code\":{}}}}]}",
        "{\"proofs\":[{\"nearby\":{\"how\":{\"paired\":{}},\"sameNetwork\":\"yes\"}}]}",
        "{\"proofs\":[{\"nearby\":{\"how\":{\"paired\":{\"at\":nan}},\"sameNetwork\":\"yes\"}}]}",
        "{\"proofs\":[{\"federated\":{\"at\":1,\"how\":\"rumour\",\"issuer\":\"https://id.example\"}}]}",
        "{\"proofs\":[{\"federated\":{\"at\":1,\"how\":\"browser\",\"issuer\":\"\\u0041\"}}]}",
        "{\"proofs\":[{\"accountPassword\":{\"at\":inf}}]}", "{\"proofs\":[{\"accountPassword\":{\"at\":nan}}]}",
    ])
    func `is left to the decoder in every other form`(text: String) {
        #expect(Evidence(written: text) == nil)
    }

    /// Tries whatever somebody who can write into the database may leave there: every form with one byte changed,
    /// removed or doubled.
    @Test func `is what the decoder makes of it, or left to the decoder, whatever was changed in it`() throws {
        let evidence = Evidence([
            .codeTyped, .signedInBefore, .linkOpened, .accountPassword(at: noon + 0.5),
            .nearby(how: .code, sameNetwork: .no), .nearby(how: .paired(at: noon), sameNetwork: .yes),
            .federated(issuer: IdentityIssuer("https://id.example"), how: .browser, at: noon),
            .passkey(at: noon), .userVerified(at: noon), .secondFactor(.oneTimePassword, at: noon),
            .enrolledDevice(at: noon), .verifiedByDevice(at: noon), .reached(.secondFactor), .network(.yes),
        ])
        let text = Array(try written(evidence).utf8)
        var read = 0
        for index in text.indices {
            let (before, after) = (text[..<index], text[(index + 1)...])
            for middle in [[], [text[index], text[index]]] + "0-9eE.,:{}[]\" \0".utf8.map({ [$0] }) {
                let changed = String(decoding: before + middle + after, as: UTF8.self)
                guard let evidence = Evidence(written: changed) else { continue }
                read += 1
                let decoded = try JSONDecoder().decode(Evidence.self, from: Data(changed.utf8))
                #expect(decoded == evidence, "\(changed)")
            }
        }
        #expect(read > 100)
    }

    private func written(_ evidence: Evidence) throws -> String {
        guard case .text(let text) = try SQLValue.document(evidence) else { throw CocoaError(.coderInvalidValue) }
        return text
    }
}
