package import Countersign
package import Tracing

/// The tracer of a server that sends its spans to a collector itself.
///
/// The decision of the caller about recording stands, unless it is a stranger; otherwise the ``TraceSampler`` decides.
/// Standard: W3C Trace Context, level 1.
package struct RecordingTracer: Tracer {
    private let queue: SpanQueue
    private let sampler: TraceSampler
    private let random: RandomSource

    package init(into queue: SpanQueue, sampling sampler: TraceSampler, drawingFrom random: RandomSource) {
        self.queue = queue
        self.sampler = sampler
        self.random = random
    }

    package func startSpan<Instant: TracerInstant>(
        _ operationName: String,
        context: @autoclosure () -> InstrumentationContext,
        ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant,
        function: String,
        file fileID: String,
        line: UInt
    ) -> RecordedSpan {
        var context = context()
        let parent = context.trace
        let own = parent?.child(identifier(8)) ?? beginning()
        context.trace = own
        let start = own.isSampled ? instant().nanosecondsSinceEpoch : 0
        let span = FinishedSpan(
            operationName, kind: kind, context: own, parent: parent?.spanID, from: start, to: start)
        return RecordedSpan(span, in: context, endingIn: own.isSampled ? queue : nil)
    }

    /// The first span of a new trace.
    private func beginning() -> TraceContext {
        let bytes = drawn(16)
        return TraceContext(
            traceID: HexadecimalText.encode(bytes), spanID: identifier(8), isSampled: sampler.samples(bytes))
    }

    private func identifier(_ count: Int) -> String { HexadecimalText.encode(drawn(count)) }

    /// Random bytes that are not all zero.
    private func drawn(_ count: Int) -> [UInt8] {
        let bytes = random.bytes(count)
        return bytes.contains { $0 != 0 } ? bytes : Array(repeating: 0, count: count - 1) + [1]
    }

    /// Does nothing: the exporter sends what is left when the server stops.
    package func forceFlush() {}

    package func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout InstrumentationContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        guard let parent = extractor.extract(key: TraceField.parent, from: carrier) else { return }
        let trace = TraceContext(parsing: parent, state: extractor.extract(key: TraceField.state, from: carrier))
        // A stranger chooses the identifier too, so chance decides in its place.
        context.trace = context.isCallerTrusted == false ? trace?.sampled(sampler.samples(drawn(16))) : trace
    }

    package func inject<Carrier, Inject: Injector>(
        _ context: InstrumentationContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let trace = context.trace else { return }
        injector.inject(trace.parent, forKey: TraceField.parent, into: &carrier)
        if let state = trace.state { injector.inject(state, forKey: TraceField.state, into: &carrier) }
    }
}

/// The names of the header fields. Standard: W3C Trace Context §3.2, §3.3.
private enum TraceField {
    static let parent = "traceparent"
    static let state = "tracestate"
}
