#if canImport(Glibc)
internal import Glibc
#endif

/// A source of random bytes; handed in, so that tests can be repeated.
public struct RandomSource: Sendable {
    private let produce: @Sendable (Int) -> [UInt8]

    /// Creates a source.
    ///
    /// - Parameter produce: Returns the given number of random bytes.
    public init(producing produce: @escaping @Sendable (Int) -> [UInt8]) { self.produce = produce }

    /// The operating system's cryptographic generator.
    public static let system = RandomSource { count in
        #if canImport(Glibc)
        // One call for all: the generator below asks the system for every eight bytes.
        let drawn = [UInt8](unsafeUninitializedCapacity: count) { buffer, drawn in
            drawn = count <= 256 && getentropy(buffer.baseAddress, count) == 0 ? count : 0
        }
        if drawn.count == count { return drawn }
        #endif
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count { withUnsafeBytes(of: generator.next() as UInt64) { bytes.append(contentsOf: $0) } }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Returns random bytes.
    ///
    /// - Parameter count: The number of bytes.
    public func bytes(_ count: Int) -> [UInt8] { produce(count) }

    /// Returns a number from 0 up to, but not including, `bound`, each equally likely.
    ///
    /// - Parameter bound: 1 to 256; any other value is a programming error and stops the program.
    public func uniform(below bound: Int) -> Int {
        precondition((1...256).contains(bound), "one byte holds bounds from 1 to 256")
        let limit = 256 - 256 % bound
        while true {
            if let byte = bytes(1).first, Int(byte) < limit { return Int(byte) % bound }
        }
    }
}
