package import Countersign

/// Random delays, so that the hosts of a network do not all send at once.
package struct Jitter: Sendable {
    /// Where the randomness comes from.
    private let random: RandomSource

    /// Creates a source of delays that are drawn from `random`.
    ///
    /// - Parameter random: Where random bytes come from.
    package init(_ random: RandomSource) {
        self.random = random
    }

    /// A uniformly distributed span in `range`.
    ///
    /// - Parameter range: The shortest and the longest span, in milliseconds.
    func span(_ range: ClosedRange<Int>) -> Duration {
        let drawn = random.bytes(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let width = UInt64(range.upperBound - range.lowerBound) * 1_000_000
        return .milliseconds(range.lowerBound) + .nanoseconds(Int64((drawn * width) >> 32))
    }

    /// A number in `0..<1`.
    var fraction: Double {
        Double(random.bytes(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) / 4_294_967_296
    }

    /// A number from 0 up to, but not including, `bound`.
    ///
    /// - Parameter bound: At least 1.
    func number(below bound: Int) -> Int {
        min(Int(fraction * Double(bound)), bound - 1)
    }

    /// Eight random letters and digits, which are 40 bits.
    func mark() -> String {
        Base32.lowercase(random.bytes(5))
    }

    /// A random name: ten letters and digits.
    func name() -> String {
        String(Base32.lowercase(random.bytes(7)).prefix(10))
    }
}
