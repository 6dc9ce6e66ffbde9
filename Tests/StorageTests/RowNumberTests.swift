import Countersign
import Testing

@testable import CountersignSQL

@Suite("The number of a row")
struct RowNumberTests {
    @Test func `follows the instant, then the rest of the digest`() {
        let earlier = number([0, 0, 1, 2, 3, 4] + Array(repeating: 0xFF, count: 26))
        let later = number([0, 0, 1, 2, 3, 5] + Array(repeating: 0, count: 26))
        #expect(earlier == (0x0102_0304 << 22 | 0x3F_FFFF))
        #expect(later == 0x0102_0305 << 22)
    }

    @Test func `leaves out what does not fit`() {
        #expect(number([0xFE, 0, 0, 0, 0, 0] + Array(repeating: 0, count: 26)) == 0)
        #expect(number(Array(repeating: 0xFF, count: 32)) == Int.max - RowNumber.attempts)
    }

    private func number(_ digest: [UInt8]) -> Int { RowNumber(of: SecretDigest(restoring: digest)).rawValue }
}
