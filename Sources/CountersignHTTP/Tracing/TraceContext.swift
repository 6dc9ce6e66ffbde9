package import Tracing

/// The place of a span in a trace, as programs tell it to one another.
///
/// Standard: W3C Trace Context, level 1.
package struct TraceContext: Sendable, Equatable {
    /// The identifier of a trace: 16 bytes as small hexadecimal digits, not all zero.
    package let traceID: String
    /// The identifier of the span: 8 bytes as small hexadecimal digits, not all zero.
    package let spanID: String
    /// Whether the spans of the trace are recorded.
    package let isSampled: Bool
    /// What other systems added for themselves, passed on unchanged; `nil` for nothing.
    package let state: String?

    /// Standard: W3C Trace Context §3.3.1.3 for the number of members, and the least length to pass on.
    private enum StateLimit {
        static let bytes = 512
        static let members = 32
    }

    package init(traceID: String, spanID: String, isSampled: Bool, state: String? = nil) {
        self.traceID = traceID
        self.spanID = spanID
        self.isSampled = isSampled
        self.state = state
    }

    /// Reads the header fields of a request, whatever they are.
    ///
    /// - Parameters:
    ///   - parent: The value of `traceparent`; several values count as none.
    ///   - state: The values of `tracestate` with commas between. It is left out when it is malformed or too long.
    /// - Returns: `nil` when `parent` is malformed, and a new trace has to begin.
    package init?(parsing parent: String, state: String? = nil) {
        let text = Array(parent.utf8.prefix(Self.length + 1))
        guard text.count >= Self.length, let version = Self.digits(text[0..<2]), version != "ff",
            text.count == Self.length || (version != "00" && text[Self.length] == Self.dash),
            [2, 35, 52].allSatisfy({ text[$0] == Self.dash }),
            let traceID = Self.digits(text[3..<35]), let spanID = Self.digits(text[36..<52]),
            let flags = Self.digits(text[53..<55]).flatMap({ UInt8($0, radix: 16) }),
            traceID.contains(where: { $0 != "0" }), spanID.contains(where: { $0 != "0" })
        else { return nil }
        self.init(traceID: traceID, spanID: spanID, isSampled: flags & 1 == 1, state: state.flatMap(Self.accepted))
    }

    /// The value of `traceparent` for the receiver of a request.
    package var parent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

    /// The same with another decision about recording.
    func sampled(_ isSampled: Bool) -> TraceContext {
        TraceContext(traceID: traceID, spanID: spanID, isSampled: isSampled, state: state)
    }

    /// The context of a span below this one.
    package func child(_ spanID: String) -> TraceContext {
        TraceContext(traceID: traceID, spanID: spanID, isSampled: isSampled, state: state)
    }

    /// The length of a value of version 0, in bytes.
    private static let length = 55
    private static let dash = UInt8(ascii: "-")

    private static func digits(_ bytes: ArraySlice<UInt8>) -> String? {
        let areDigits = bytes.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }
        return areDigits ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// A value of `tracestate` that may be passed on; `nil` for any other.
    private static func accepted(_ state: String) -> String? {
        let bytes = state.utf8
        guard bytes.count <= StateLimit.bytes, bytes.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 }) else {
            return nil
        }
        let members = state.split(separator: ",").filter { $0.contains { $0 != " " && $0 != "\t" } }
        let areWhole = members.allSatisfy { member in
            let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 && parts.allSatisfy { part in part.contains { $0 != " " && $0 != "\t" } }
        }
        return areWhole && (1...StateLimit.members).contains(members.count) ? state : nil
    }
}

extension InstrumentationContext {
    private enum Key: InstrumentationContextKey {
        typealias Value = TraceContext
    }

    private enum TrustKey: InstrumentationContextKey {
        typealias Value = Bool
    }

    /// Whether the decision of the caller about recording stands; `nil` without a caller.
    var isCallerTrusted: Bool? {
        get { self[TrustKey.self] }
        set { self[TrustKey.self] = newValue }
    }

    /// The innermost span of the task, as the server's own tracer made it.
    package var trace: TraceContext? {
        get { self[Key.self] }
        set { self[Key.self] = newValue }
    }
}
