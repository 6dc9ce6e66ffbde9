import Countersign
import CountersignTesting
import Testing

@testable import CountersignHTTP

@Suite("A heap whose priorities change")
struct IndexedHeapTests {
    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `always has the highest priority first`(seed: UInt64) {
        let random = SeededRandom(seed: seed).source
        var heap = IndexedHeap<UInt8, Int>()
        var expected: [UInt8: Int] = [:]
        for _ in 0..<2_000 {
            let bytes = random.bytes(3)
            let element = bytes[0] % 32
            if bytes[1] % 4 == 0 {
                heap.remove(element)
                expected[element] = nil
            } else {
                heap.set(Int(bytes[2]), of: element)
                expected[element] = Int(bytes[2])
            }
            let first = heap.first
            #expect(first?.priority == expected.values.max())
            #expect(first.map { expected[$0.element] == $0.priority } != false)
            #expect(heap.count == expected.count)
        }
    }
}
