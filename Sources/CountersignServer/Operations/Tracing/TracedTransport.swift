internal import CountersignHTTP
internal import Tracing
package import CountersignTransport

/// A network whose calls are spans of the request, or the delivery, that makes them, and which names these spans to the
/// receivers.
///
/// Standard: W3C Trace Context §3.2, §3.3.
struct TracedTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let tracing: ServerTracing

    fileprivate init(_ base: any HTTPTransport, tracing: ServerTracing) {
        self.base = base
        self.tracing = tracing
    }

    func send(
        _ request: HTTPRequest, body: [UInt8], within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        let method = request.method.rawValue
        guard let span = tracing.call(method, ["http.request.method": .string(method)]) else {
            return try await base.send(request, body: body, within: limit)
        }
        var request = request
        tracing.pass(span, to: &request.headerFields)
        do throws(TransportError) {
            let answer = try await base.send(request, body: body, within: limit)
            let status = answer.response.status.code
            span.end(
                ["http.response.status_code": .int64(Int64(status))], failure: status >= 400 ? "\(status)" : nil)
            return answer
        } catch {
            span.end(failure: error.code.rawValue)
            throw error
        }
    }
}

extension HTTPTransport {
    /// This network with a span for each call; unchanged when the server makes none.
    package func traced(by tracing: ServerTracing?) -> any HTTPTransport {
        tracing.map { TracedTransport(self, tracing: $0) } ?? self
    }
}
