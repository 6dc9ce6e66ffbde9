import CountersignTesting
import Testing

@testable import Countersign

@Suite("A random source")
struct RandomSourceTests {
    @Test(arguments: [1, 2, 3, 20, 100, 128, 200, 255, 256])
    func `reaches every number below the bound, each from as many bytes`(bound: Int) {
        var counts = [Int](repeating: 0, count: bound)
        for byte in 0..<(256 - 256 % bound) {
            let source = RandomSource { count in [UInt8](repeating: UInt8(byte), count: count) }
            counts[source.uniform(below: bound)] += 1
        }
        #expect(Set(counts) == [256 / bound])
    }

    @Test(arguments: [3, 20, 100, 129, 200, 255])
    func `draws again for the bytes at the top that would favour small numbers`(bound: Int) {
        let limit = 256 - 256 % bound
        var drawnAgain = 0
        for seed in 0..<2_000 {
            // The same bytes, looked at by the test itself.
            let twin = SeededRandom(seed: UInt64(seed))
            var byte = twin.bytes(1)[0]
            while byte >= limit {
                drawnAgain += 1
                byte = twin.bytes(1)[0]
            }
            #expect(SeededRandom(seed: UInt64(seed)).source.uniform(below: bound) == Int(byte) % bound)
        }
        #expect(drawnAgain > 0)
    }

    @Test func `is uniform over many draws`() {
        let source = SeededRandom(seed: 7).source
        var counts = [Int](repeating: 0, count: 20)
        for _ in 0..<40_000 { counts[source.uniform(below: 20)] += 1 }
        #expect(counts.allSatisfy { (1_800...2_200).contains($0) }, "\(counts)")
    }

    @Test(arguments: [0, 1, 7, 8, 9, 16, 31, 32, 33, 1_000])
    func `gives as many bytes as it was asked for, from the system too`(count: Int) {
        #expect(RandomSource.system.bytes(count).count == count)
        #expect(SeededRandom(seed: 8).source.bytes(count).count == count)
    }

    @Test func `of the system never repeats itself`() {
        let draws = Set((0..<1_000).map { _ in RandomSource.system.bytes(16) })
        #expect(draws.count == 1_000)
    }

    @Test func `of the system uses all values of a byte, at every place of a draw`() {
        var seen = [Set<UInt8>](repeating: [], count: 11)
        for _ in 0..<8_192 {
            for (place, byte) in RandomSource.system.bytes(11).enumerated() { seen[place].insert(byte) }
        }
        #expect(seen.allSatisfy { $0.count == 256 })
    }
}
