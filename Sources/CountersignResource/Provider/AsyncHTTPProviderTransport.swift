internal import AsyncHTTPClient
public import HTTPTypes
internal import NIOCore
internal import NIOHTTP1

/// The network, by AsyncHTTPClient.
///
/// All values share one pool of connections, which lives as long as the process.
public struct AsyncHTTPProviderTransport: ProviderTransport {
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .seconds(5)
        configuration.connectionPool.idleTimeout = .seconds(30)
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// Why no whole answer came.
    private enum Failure: Error {
        case timedOut
        case tooLarge
    }

    /// The transport of this process.
    public init() {}

    public func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws -> ProviderAnswer {
        let message = Self.message(for: request, body: body)
        // The client's own limit ends with the head of the answer, so the whole runs against a limit of ours.
        return try await withThrowingTaskGroup(of: ProviderAnswer.self) { group in
            group.addTask { try await Self.collect(Self.client.execute(message, timeout: .hours(1))) }
            group.addTask {
                try await Task.sleep(for: limit)
                throw Failure.timedOut
            }
            defer { group.cancelAll() }
            guard let answer = try await group.next() else { throw CancellationError() }
            return answer
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

    private static func collect(_ response: HTTPClientResponse) async throws -> ProviderAnswer {
        var fields = HTTPFields()
        for (name, value) in response.headers {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        var body: [UInt8] = []
        for try await part in response.body {
            guard body.count + part.readableBytes <= ProviderAnswer.longestBody else { throw Failure.tooLarge }
            body.append(contentsOf: part.readableBytesView)
        }
        // A body whose task is cancelled just ends, and must not pass for a whole one.
        try Task.checkCancellation()
        let status = HTTPResponse.Status(code: Int(response.status.code))
        return ProviderAnswer(HTTPResponse(status: status, headerFields: fields), body: body)
    }
}
