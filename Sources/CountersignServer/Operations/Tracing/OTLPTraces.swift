internal import CountersignHTTP
internal import CountersignWire
internal import Tracing

/// The spans of one request to a collector, as JSON.
///
/// Standard: OTLP 1.9, "JSON Protobuf Encoding": identifiers are hexadecimal, numbers of 64 bits are texts, enumerations
/// are numbers.
struct OTLPTraces: Encodable {
    private let resourceSpans: [ResourceSpans]

    /// Puts spans under the name of the server.
    ///
    /// - Parameters:
    ///   - spans: The finished spans.
    ///   - instance: The name of this process among those of the same server.
    init(_ spans: [FinishedSpan], of instance: String) {
        let resource = Resource(attributes: [
            Attribute(key: "service.instance.id", value: .string(instance)),
            Attribute(key: "service.name", value: .string(Self.name)),
        ])
        let scope = ScopeSpans(scope: Scope(name: Self.name), spans: spans.map(SpanMessage.init))
        resourceSpans = [ResourceSpans(resource: resource, scopeSpans: [scope])]
    }

    private static let name = "countersign"

    private struct ResourceSpans: Encodable {
        let resource: Resource
        let scopeSpans: [ScopeSpans]
    }

    private struct Resource: Encodable {
        let attributes: [Attribute]
    }

    private struct ScopeSpans: Encodable {
        let scope: Scope
        let spans: [SpanMessage]
    }

    private struct Scope: Encodable {
        let name: String
    }

    private struct SpanMessage: Encodable {
        let traceId: String
        let spanId: String
        let traceState: String?
        let parentSpanId: String?
        let name: String
        let kind: Int
        let startTimeUnixNano: String
        let endTimeUnixNano: String
        let attributes: [Attribute]
        let status: Status?

        init(_ span: FinishedSpan) {
            traceId = span.context.traceID
            spanId = span.context.spanID
            traceState = span.context.state
            parentSpanId = span.parent
            name = span.name
            kind =
                switch span.kind {
                case .internal: 1
                case .server: 2
                case .client: 3
                case .producer: 4
                case .consumer: 5
                }
            startTimeUnixNano = "\(span.start)"
            endTimeUnixNano = "\(span.end)"
            var attributes: [Attribute] = []
            span.attributes.forEach { attributes.append(Attribute(key: $0, value: $1)) }
            self.attributes = attributes.sorted { $0.key < $1.key }
            status = span.hasFailed ? Status(code: 2) : nil
        }
    }

    private struct Status: Encodable {
        let code: Int
    }

    private struct Attribute: Encodable {
        let key: String
        let value: SpanAttribute

        private enum CodingKeys: String, CodingKey { case key, value }
        private enum Kind: String, CodingKey { case stringValue, intValue, doubleValue, boolValue }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(key, forKey: .key)
            var kind = members.nestedContainer(keyedBy: Kind.self, forKey: .value)
            switch value {
            case .string(let text): try kind.encode(text, forKey: .stringValue)
            case .int32(let number): try kind.encode("\(number)", forKey: .intValue)
            case .int64(let number): try kind.encode("\(number)", forKey: .intValue)
            case .double(let number): try kind.encode(number, forKey: .doubleValue)
            case .bool(let isTrue): try kind.encode(isTrue, forKey: .boolValue)
            // The server sets no others.
            default: try kind.encode("", forKey: .stringValue)
            }
        }
    }
}

/// The answer of a collector that took some of the spans.
///
/// Standard: OTLP 1.9, "Partial Success".
struct OTLPTracesResponse: Decodable {
    let partialSuccess: PartialSuccess?

    struct PartialSuccess: Decodable {
        /// The number of refused spans. The encoding has it as a text, and allows a number.
        let rejectedSpans: Int?
        let errorMessage: String?

        private enum CodingKeys: String, CodingKey { case rejectedSpans, errorMessage }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            let text = try? members.decode(String.self, forKey: .rejectedSpans)
            rejectedSpans = text.flatMap { Int($0) } ?? (try? members.decode(Int.self, forKey: .rejectedSpans))
            errorMessage = try? members.decode(String.self, forKey: .errorMessage)
        }
    }
}
