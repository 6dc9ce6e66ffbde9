/// Cuts what arrives into frames: a length of two bytes, then that many bytes.
///
/// It keeps no more than one frame of the length that is allowed, however the bytes are cut on their way.
package struct FrameReader: Sendable {
    /// The most bytes that a frame can have.
    package static let longest = 65_535

    /// A length that cannot be: nothing after it can be read.
    package struct WrongLength: Error, Equatable, Sendable {}

    /// What has arrived and was not read.
    private var buffer: [UInt8] = []
    /// Where the next frame begins.
    private var start = 0

    /// A reader without bytes.
    package init() {}

    /// Adds what arrived.
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer += bytes
    }

    /// The next frame; `nil` when not all of it is there.
    ///
    /// - Parameter lengths: What is allowed at this point; anything else is refused as soon as the length is there.
    package mutating func next(of lengths: ClosedRange<Int> = 1...longest) throws(WrongLength) -> [UInt8]? {
        guard buffer.count - start >= 2 else { return nil }
        let length = Int(buffer[start]) << 8 | Int(buffer[start + 1])
        guard length > 0, lengths.contains(length) else { throw WrongLength() }
        guard buffer.count - start - 2 >= length else { return nil }
        defer { start += 2 + length }
        return Array(buffer[start + 2..<start + 2 + length])
    }

    /// How many bytes wait for the rest of their frame.
    package var waiting: Int { buffer.count - start }

    /// The frame that holds `bytes`; `nil` for none, and for too many.
    package static func frame(of bytes: [UInt8]) -> [UInt8]? {
        guard (1...longest).contains(bytes.count) else { return nil }
        return [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
    }
}
