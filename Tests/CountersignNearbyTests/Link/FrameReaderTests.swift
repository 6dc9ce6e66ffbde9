@testable import CountersignNearby
import CountersignTesting
import Testing

@Suite("A reader of frames")
struct FrameReaderTests {
    @Test func `reads frames however they are cut`() throws {
        let frames: [[UInt8]] = [[1], [2, 3], [UInt8](repeating: 4, count: 65_535), [5]]
        let bytes = frames.flatMap { FrameReader.frame(of: $0) ?? [] }
        for step in [1, 2, 3, 1_000, bytes.count] where step > 1 || bytes.count < 100_000 {
            var reader = FrameReader()
            var read: [[UInt8]] = []
            for start in stride(from: 0, to: bytes.count, by: step) {
                reader.append(bytes[start..<min(start + step, bytes.count)])
                while let frame = try reader.next() { read.append(frame) }
            }
            #expect(read == frames && reader.waiting == 0)
        }
    }

    @Test func `reads two frames of one segment, and keeps the half of a third`() throws {
        var reader = FrameReader()
        reader.append([0, 1, 7, 0, 2, 8, 9, 0, 3, 1])
        #expect(try reader.next() == [7])
        #expect(try reader.next() == [8, 9])
        #expect(try reader.next() == nil)
        #expect(reader.waiting == 3)
        reader.append([2, 3])
        #expect(try reader.next() == [1, 2, 3])
    }

    @Test func `refuses a length of nothing`() {
        var reader = FrameReader()
        reader.append([0, 0, 1])
        #expect(throws: FrameReader.LengthError.self) { try reader.next() }
    }

    @Test func `refuses a length that is not for this place before the bytes are there`() {
        var reader = FrameReader()
        reader.append([0, 65])
        #expect(throws: FrameReader.LengthError.self) { try reader.next(of: 64...64) }
        var short = FrameReader()
        short.append([0, 63])
        #expect(throws: FrameReader.LengthError.self) { try short.next(of: 64...64) }
    }

    @Test func `cannot be made to write too much`() {
        #expect(FrameReader.frame(of: []) == nil)
        #expect(FrameReader.frame(of: [UInt8](repeating: 0, count: 65_536)) == nil)
        #expect(FrameReader.frame(of: [UInt8](repeating: 0, count: 65_535))?.count == 65_537)
    }
}
