import Countersign
import CountersignTesting
import Testing

@testable import CountersignWire

@Suite("Recovery codes")
struct RecoveryCodeTests {
    private let ada = Subject("ada")

    @Test func `are read as they are shown, and as people type them`() throws {
        let random = SeededRandom(seed: 10).source
        for _ in 0..<200 {
            let code = RecoveryCode(drawingFrom: random)
            #expect(code.grouped.count == 19)
            #expect(RecoveryCode(parsing: code.grouped) == code)
            #expect(RecoveryCode(parsing: code.grouped.lowercased().replacing("-", with: " ")) == code)
            #expect(RecoveryCode(parsing: "\u{202A}\(code.grouped.replacing("-", with: "\u{2011}"))\u{202C}") == code)
        }
        #expect(RecoveryCode(parsing: "oil0-0000-0000-0000")?.revealed == "0110000000000000")
    }

    @Test(arguments: ["", "0000-0000-0000-000", "0000-0000-0000-00000", "U000-0000-0000-0000", "0000.0000.0000.0000"])
    func `are not read out of other text`(text: String) {
        #expect(RecoveryCode(parsing: text) == nil)
    }

    @Test func `use the whole alphabet, each character as often`() {
        let random = SeededRandom(seed: 11).source
        var counts: [Character: Int] = [:]
        for _ in 0..<2000 {
            for character in RecoveryCode(drawingFrom: random).revealed { counts[character, default: 0] += 1 }
        }
        #expect(counts.count == 32)
        // A thousand of each are expected, with a deviation of 31.
        #expect(counts.values.allSatisfy { (800...1200).contains($0) })
    }

    @Test func `are accepted once each`() throws {
        var (codes, kept) = RecoveryCodeSet.mint(for: ada, drawingFrom: SeededRandom(seed: 12).source)
        #expect(codes.count == 10 && kept.count == 10 && Set(codes.map(\.revealed)).count == 10)
        for (place, code) in codes.enumerated() {
            #expect(kept.redeem(code) == .accepted(left: 9 - place))
            #expect(kept.redeem(code) == .wrong)
        }
    }

    @Test func `are those of one person`() throws {
        let (codes, kept) = RecoveryCodeSet.mint(for: ada, drawingFrom: SeededRandom(seed: 13).source)
        var others = RecoveryCodeSet(subject: Subject("bob"), restoring: kept.digests)
        #expect(others.redeem(codes[0]) == .wrong)
        #expect(others.count == 10)
    }

    @Test func `and are not printed`() {
        let code = RecoveryCode(drawingFrom: SeededRandom(seed: 14).source)
        #expect("\(code)" == "RecoveryCode(redacted)")
    }
}
