/// Random delays, so that the hosts of a network do not all send at once.
package struct Jitter: Sendable {
    private let random: RandomSource

    /// Creates a source of delays that are drawn from `random`.
    package init(_ random: RandomSource) { self.random = random }

    /// A uniformly distributed span in `range`.
    ///
    /// - Parameter range: The shortest and the longest span, in milliseconds.
    func span(_ range: ClosedRange<Int>) -> Duration {
        let drawn = random.bytes(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let width = UInt64(range.upperBound - range.lowerBound) * 1_000_000
        return .milliseconds(range.lowerBound) + .nanoseconds(Int64((drawn * width) >> 32))
    }

    /// A number in `0..<1`.
    var fraction: Double { Self.fraction(random.bytes(4)) }

    /// A number in `0..<1` from four random bytes.
    private static func fraction(_ bytes: some Sequence<UInt8>) -> Double {
        Double(bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) / 4_294_967_296
    }

    /// Numbers from 0 up to, but not including, `bound`, from one call to the source of randomness.
    ///
    /// - Parameter bound: At least 1.
    package func numbers(_ count: Int, below bound: Int) -> [Int] {
        let bytes = random.bytes(4 * count)
        return (0..<count).map { place in
            min(Int(Self.fraction(bytes[4 * place..<4 * place + 4]) * Double(bound)), bound - 1)
        }
    }

    /// Eight random letters and digits, which are 40 bits.
    func mark() -> String { LowercaseBase32.lowercase(random.bytes(5)) }

    /// A random name: ten letters and digits.
    func name() -> String { String(LowercaseBase32.lowercase(random.bytes(7)).prefix(10)) }
}
