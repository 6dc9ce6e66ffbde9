public import Countersign
internal import NIOConcurrencyHelpers

/// Random numbers and bytes that are the same for the same seed, for tests that repeat themselves. Never for real
/// secrets.
///
/// Standard: SplitMix64, by Steele, Lea and Flood (2014).
public final class SeededRandom: RandomNumberGenerator, Sendable {
    private let state: NIOLockedValueBox<UInt64>

    /// A sequence of numbers.
    ///
    /// - Parameter seed: Decides the whole sequence: the same seed, the same bytes.
    public init(seed: UInt64) { state = NIOLockedValueBox(seed) }

    /// The same sequence in the form that a `CodeMint` draws from.
    public var source: RandomSource { RandomSource { count in self.bytes(count) } }

    /// Draws the next bytes.
    ///
    /// - Parameter count: The number of bytes.
    /// - Returns: The given number of bytes, the same in each run of the test.
    public func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count { withUnsafeBytes(of: next().littleEndian) { bytes.append(contentsOf: $0) } }
        return Array(bytes.prefix(count))
    }

    /// Draws the next number.
    ///
    /// - Returns: Any number of 64 bits, the same in each run of the test.
    public func next() -> UInt64 {
        state.withLockedValue { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
