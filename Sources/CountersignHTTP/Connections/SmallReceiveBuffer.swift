internal import NIOCore

/// Receive buffers that begin small and double when one was filled.
///
/// A connection keeps its buffer while it is open, and most open connections wait.
struct SmallReceiveBuffer: RecvByteBufferAllocator {
    /// Enough for a poll; the first request that is longer takes another read.
    private static let smallest = 512
    private static let largest = 16_384

    private var size = Self.smallest

    func buffer(allocator: ByteBufferAllocator) -> ByteBuffer {
        allocator.buffer(capacity: size)
    }

    mutating func record(actualReadBytes: Int) -> Bool {
        guard actualReadBytes >= size, size < Self.largest else { return false }
        size *= 2
        return true
    }
}
