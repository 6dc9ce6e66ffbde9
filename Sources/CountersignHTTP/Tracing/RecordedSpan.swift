internal import NIOConcurrencyHelpers
package import Tracing

/// A span of the server's own tracer, which is kept for the collector when it ends.
package final class RecordedSpan: Span {
    package let context: InstrumentationContext
    /// Receives the span when it ends; `nil` when its trace is not recorded.
    private let queue: SpanQueue?
    private let state: NIOLockedValueBox<State>

    private struct State {
        var span: FinishedSpan
        var hasEnded = false
    }

    init(_ beginning: FinishedSpan, in context: InstrumentationContext, endingIn queue: SpanQueue?) {
        self.context = context
        self.queue = queue
        state = NIOLockedValueBox(State(span: beginning))
    }

    package var isRecording: Bool { queue != nil && !state.withLockedValue(\.hasEnded) }

    package var operationName: String {
        get { state.withLockedValue(\.span.name) }
        set { state.withLockedValue { $0.span.name = newValue } }
    }

    package var attributes: SpanAttributes {
        get { state.withLockedValue(\.span.attributes) }
        set { state.withLockedValue { $0.span.attributes = newValue } }
    }

    package func setStatus(_ status: SpanStatus) {
        state.withLockedValue { $0.span.hasFailed = status.code == .error }
    }

    /// Notes the kind of an error. Its text is left out: it may hold what a span must not.
    package func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        state.withLockedValue { $0.span.attributes["error.type"] = "\(type(of: error))" }
    }

    /// Does nothing: no span of the server has events.
    package func addEvent(_ event: SpanEvent) {}

    /// Does nothing: no span of the server has links.
    package func addLink(_ link: SpanLink) {}

    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        guard let queue else { return }
        let nanoseconds = instant().nanosecondsSinceEpoch
        let ended = state.withLockedValue { state -> FinishedSpan? in
            guard !state.hasEnded else { return nil }
            state.hasEnded = true
            // The clock of the machine may have been set back meanwhile.
            state.span.end = max(state.span.start, nanoseconds)
            return state.span
        }
        if let ended { queue.add(ended) }
    }
}

/// The facts of a span.
package struct FinishedSpan: Sendable, Equatable {
    package var name: String
    package let kind: SpanKind
    package let context: TraceContext
    /// The identifier of the span above; `nil` for the first one of a trace.
    package let parent: String?
    /// The beginning, in nanoseconds since 1970.
    package let start: UInt64
    /// The end, in nanoseconds since 1970.
    package var end: UInt64
    package var attributes: SpanAttributes = [:]
    package var hasFailed = false

    package init(
        _ name: String, kind: SpanKind, context: TraceContext, parent: String? = nil, from start: UInt64, to end: UInt64
    ) {
        self.name = name
        self.kind = kind
        self.context = context
        self.parent = parent
        self.start = start
        self.end = end
    }
}
