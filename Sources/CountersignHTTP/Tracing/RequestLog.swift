public import Logging
internal import Tracing

extension Logger.MetadataProvider {
    /// The identifiers of the request that the current task answers, and of its span, for the lines of loggers that
    /// know neither.
    public static let request = Logger.MetadataProvider {
        var metadata = InstrumentationContext.current?.logMetadata ?? [:]
        metadata[Logger.requestID] = Logger.current[metadataKey: Logger.requestID]
        return metadata
    }
}

extension Logger {
    /// Hummingbird's key for the identifier of a request.
    static let requestID = "hb.request.id"
}

extension InstrumentationContext {
    /// The identifiers of the span; nothing when it is not recorded.
    var logMetadata: Logger.Metadata {
        guard let trace, trace.isSampled else { return [:] }
        return ["trace_id": "\(trace.traceID)", "span_id": "\(trace.spanID)"]
    }
}
