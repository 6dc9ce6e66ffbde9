/// The share of the traces that is recorded, decided by the identifier of each, so that all programs with the same
/// share record the same traces.
///
/// Standard: OpenTelemetry, consistent probability sampling by the last seven bytes of the identifier.
package struct TraceSampler: Sendable, Equatable {
    /// The least value of the last seven bytes that is recorded.
    private let threshold: UInt64

    /// Creates a sampler.
    ///
    /// - Parameter ratio: The share, from 0 for no trace to 1 for all; `nil` is returned for anything else.
    package init?(ratio: Double) {
        guard (0...1).contains(ratio) else { return nil }
        threshold = UInt64((1 - ratio) * 0x1p56)
    }

    /// Whether a trace that begins here is recorded.
    ///
    /// - Parameter traceID: The 16 bytes of its identifier.
    package func samples(_ traceID: some Collection<UInt8>) -> Bool {
        traceID.suffix(7).reduce(0) { $0 << 8 | UInt64($1) } >= threshold
    }
}
