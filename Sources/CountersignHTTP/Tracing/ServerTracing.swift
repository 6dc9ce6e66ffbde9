package import Countersign
package import HTTPTypes
internal import CountersignWire
internal import Logging
package import Tracing
internal import FoundationEssentialsCompat

/// The places at which a server makes spans, with the tracer that makes them.
///
/// A span says what was done and how it ended, and never for whom: it has the template of the route, the method, the
/// status and the kind of an error. Hummingbird's middleware for spans is not used, since it records paths and queries,
/// which may hold codes, and does not see the requests of the ``FastPath``.
package struct ServerTracing: Sendable {
    private let tracer: any Tracer
    private let clock: TimeSource
    private let addresses: ClientAddressResolver?

    /// - Parameters:
    ///   - tracer: The tracer.
    ///   - clock: Time.
    ///   - addresses: The proxies whose decision about recording stands; `nil`, the default, for none.
    package init(_ tracer: any Tracer, by clock: TimeSource, trusting addresses: ClientAddressResolver? = nil) {
        self.tracer = tracer
        self.clock = clock
        self.addresses = addresses
    }

    /// Begins the span of a request, below that of its caller if it names one.
    ///
    /// - Parameters:
    ///   - name: The name of the span.
    ///   - fields: The header fields of the request.
    ///   - peer: The address of the peer; `nil` for a Unix domain socket.
    ///   - began: The time of its arrival.
    func request(
        _ name: String, _ fields: HTTPFields, from peer: String?, since began: ContinuousClock.Instant
    ) -> OpenSpan {
        var context = InstrumentationContext.topLevel
        context.isCallerTrusted = isTrusted(peer)
        tracer.extract(fields, into: &context, using: TraceFields())
        let moment = clock.moment()
        let start = TraceInstant(moment.date.addingTimeInterval(-((moment.instant - began) / .seconds(1))))
        return OpenSpan(tracer.startSpan(name, context: context, ofKind: .server, at: start), clock)
    }

    /// Whether the decision of a caller about recording stands: that of a trusted proxy, or of this machine.
    private func isTrusted(_ peer: String?) -> Bool {
        guard let peer = peer.map(AddressNetwork.plain) else { return true }
        return AddressNetwork.bytes(of: peer).map(AddressNetwork.isLoopback) == true || addresses?.isProxy(peer) == true
    }

    /// Begins a span with a trace of its own, for work that no request waits for.
    package func work(_ name: String, _ attributes: SpanAttributes) -> OpenSpan {
        begin(name, .internal, attributes, in: .topLevel)
    }

    /// Begins a span below that of the current task; `nil` when it has none.
    package func call(_ name: String, _ attributes: SpanAttributes) -> OpenSpan? {
        InstrumentationContext.current.map { begin(name, .client, attributes, in: $0) }
    }

    /// The same for a call that names its span to nobody: `nil` also where the trace is not recorded.
    package func localCall(_ name: String, _ attributes: @autoclosure () -> SpanAttributes) -> OpenSpan? {
        guard InstrumentationContext.current?.trace?.isSampled != false else { return nil }
        return call(name, attributes())
    }

    private func begin(
        _ name: String, _ kind: SpanKind, _ attributes: SpanAttributes, in context: InstrumentationContext
    ) -> OpenSpan {
        let span = tracer.startSpan(name, context: context, ofKind: kind, at: TraceInstant(clock.now()))
        span.attributes = attributes
        return OpenSpan(span, clock)
    }

    /// Names a span to the receiver of a request.
    package func pass(_ span: OpenSpan, to fields: inout HTTPFields) {
        tracer.inject(span.span.context, into: &fields, using: TraceFields())
    }
}

/// A span that has begun.
///
/// A class, so that a request without one has no more than an empty reference.
package final class OpenSpan: Sendable {
    fileprivate let span: any Span
    private let clock: TimeSource

    fileprivate init(_ span: any Span, _ clock: TimeSource) {
        self.span = span
        self.clock = clock
    }

    /// Runs the work of the span, so that the spans that it makes are below this one.
    package func run<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        try await InstrumentationContext.$current.withValue(span.context) { try await body() }
    }

    /// Ends the span.
    ///
    /// - Parameters:
    ///   - attributes: Further attributes.
    ///   - failure: The kind of the error; `nil` after success.
    package func end(_ attributes: SpanAttributes = [:], failure: String? = nil) {
        if span.isRecording {
            span.updateAttributes { all in
                all.merge(attributes)
                if let failure { all["error.type"] = failure }
            }
            if failure != nil { span.setStatus(SpanStatus(code: .error)) }
        }
        span.end(at: TraceInstant(clock.now()))
    }

    /// Adds the identifiers of the span to a logger, if the span is recorded.
    func note(in logger: inout Logger) {
        for (key, value) in span.context.logMetadata { logger[metadataKey: key] = value }
    }
}

extension OpenSpan? {
    /// Runs the work of a span if there is one, and otherwise the work alone.
    package func run<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        switch self {
        case let span?: try await span.run(body)
        case nil: try await body()
        }
    }
}

/// An instant of the server's clock.
private struct TraceInstant: TracerInstant {
    let nanosecondsSinceEpoch: UInt64

    init(_ date: Date) {
        let microseconds = Int64(exactly: (date.timeIntervalSince1970 * 1e6).rounded()) ?? 0
        nanosecondsSinceEpoch = UInt64(clamping: microseconds).multipliedReportingOverflow(by: 1000).partialValue
    }

    static func < (left: TraceInstant, right: TraceInstant) -> Bool {
        left.nanosecondsSinceEpoch < right.nanosecondsSinceEpoch
    }
}

/// Reads and writes the header fields of a request for a tracer.
private struct TraceFields: Extractor, Injector {
    func extract(key: String, from fields: HTTPFields) -> String? {
        HTTPField.Name(key).flatMap { fields[$0] }
    }

    func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
        if let name = HTTPField.Name(key) { fields[name] = value }
    }
}
