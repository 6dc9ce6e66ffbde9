/// Splits received bytes into frames: a length of two bytes, then that many bytes.
///
/// However the bytes are split on their way, it buffers no more than one frame of the allowed length.
package struct FrameReader: Sendable {
    /// The most bytes that a frame can have.
    package static let longest = 65_535

    /// A length that is not allowed: nothing after it can be read.
    package struct LengthError: Error, Equatable, Sendable {}

    /// Bytes that have arrived and were not read.
    private var buffer: [UInt8] = []
    /// The start of the next frame.
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

    /// The next frame; `nil` when it is not complete yet.
    ///
    /// - Parameter lengths: The lengths that are allowed now; any other is refused as soon as the length is read.
    package mutating func next(of lengths: ClosedRange<Int> = 1...longest) throws(LengthError) -> [UInt8]? {
        guard buffer.count - start >= 2 else { return nil }
        let length = Int(buffer[start]) << 8 | Int(buffer[start + 1])
        guard length > 0, lengths.contains(length) else { throw LengthError() }
        guard buffer.count - start - 2 >= length else { return nil }
        defer { start += 2 + length }
        return Array(buffer[start + 2..<start + 2 + length])
    }

    /// The number of buffered bytes of an incomplete frame.
    package var waiting: Int { buffer.count - start }

    /// The frame that holds `bytes`; `nil` when there are none, or too many.
    package static func frame(of bytes: [UInt8]) -> [UInt8]? {
        guard (1...longest).contains(bytes.count) else { return nil }
        return [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
    }
}
