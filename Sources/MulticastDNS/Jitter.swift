package import Countersign

/// Delays by chance, so that not everybody on a network speaks at once.
package struct Jitter: Sendable {
    private let random: RandomSource

    package init(_ random: RandomSource) {
        self.random = random
    }

    /// A span between both, each as likely as any other.
    func span(_ range: ClosedRange<Int>) -> Duration {
        let drawn = random.bytes(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let width = UInt64(range.upperBound - range.lowerBound) * 1_000_000
        return .milliseconds(range.lowerBound) + .nanoseconds(Int64((drawn * width) >> 32))
    }

    /// A number from 0 up to but without 1.
    var fraction: Double {
        Double(random.bytes(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) / 4_294_967_296
    }

    /// A name that says nothing: ten letters and digits.
    func name() -> String {
        String(Base32.lowercase(random.bytes(7)).prefix(10))
    }
}
