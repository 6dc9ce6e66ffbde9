#if os(Linux)
internal import AsyncHTTPClient
public import HTTPTypes
internal import NIOCore
internal import NIOHTTP1

/// The network on Linux, by AsyncHTTPClient.
///
/// All values share one pool of connections, which lives as long as the process.
public struct AsyncHTTPTransport: HTTPTransport {
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .seconds(10)
        configuration.connectionPool.idleTimeout = .seconds(30)
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// The transport of this process.
    public init() {}

    public func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        let message = Self.message(for: request, body: body)
        let amount = TimeAmount.nanoseconds(limit.nanoseconds)
        do {
            // The client's own limit ends with the head of the answer, so the body runs against a limit of ours.
            return try await TimeLimit.run(limit) {
                try await Self.collect(Self.client.execute(message, timeout: amount))
            }
        } catch {
            throw Task.isCancelled ? TransportError(.cancelled, because: "cancelled") : Self.translated(error)
        }
    }

    private static func message(for request: HTTPRequest, body: [UInt8]) -> HTTPClientRequest {
        let place = "\(request.scheme ?? "https")://\(request.authority ?? "")\(request.path ?? "/")"
        var message = HTTPClientRequest(url: place)
        message.method = HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headerFields {
            message.headers.add(name: field.name.canonicalName, value: field.value)
        }
        if !body.isEmpty { message.body = .bytes(ByteBuffer(bytes: body)) }
        return message
    }

    private static func collect(_ response: HTTPClientResponse) async throws -> HTTPAnswer {
        var fields = HTTPFields()
        for (name, value) in response.headers {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        var body: [UInt8] = []
        for try await part in response.body {
            guard body.count + part.readableBytes <= HTTPAnswer.longestBody else {
                throw TransportError(.tooLarge, because: "over \(HTTPAnswer.longestBody) bytes")
            }
            body.append(contentsOf: part.readableBytesView)
        }
        // A body whose task is cancelled just ends, and must not pass for a whole one.
        try Task.checkCancellation()
        let status = HTTPResponse.Status(code: Int(response.status.code))
        return HTTPAnswer(HTTPResponse(status: status, headerFields: fields), body: body)
    }

    private static func translated(_ error: any Error) -> TransportError {
        if let known = error as? TransportError { return known }
        if error is CancellationError { return TransportError(.cancelled, because: "cancelled") }
        guard let failure = error as? HTTPClientError else {
            // Errors of the TLS library are recognised by name, so that this file does not depend on it.
            let text = String(reflecting: error)
            return TransportError(text.contains("NIOSSL") ? .notTrusted : .notReached, because: text)
        }
        let text = String(describing: failure)
        switch failure {
        case .cancelled: return TransportError(.cancelled, because: text)
        case .deadlineExceeded, .readTimeout, .writeTimeout: return TransportError(.timedOut, because: text)
        case .remoteConnectionClosed, .uncleanShutdown: return TransportError(.interrupted, because: text)
        default: return TransportError(.notReached, because: text)
        }
    }
}

extension Duration {
    /// The same span as a number of nanoseconds, cut to what fits.
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max / 2 : min(product, .max / 2) + attoseconds / 1_000_000_000
    }
}
#endif
