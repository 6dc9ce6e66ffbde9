#if os(Linux) && AsyncHTTPClient
internal import AsyncHTTPClient
public import HTTPTypes
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL

internal import FoundationEssentialsCompat

/// The network on Linux, by AsyncHTTPClient.
///
/// ```swift
/// let request = HTTPRequest(method: .get, scheme: "https", authority: "id.example.com", path: "/jwks")
/// let answer = try await AsyncHTTPTransport().send(request, body: [], within: .seconds(10))
/// ```
///
/// All values share one pool of connections, which lives as long as the process. It speaks HTTP/1.1 only, unless
/// ``init(offeringHTTP2:)`` asks for more: the library that reads HTTP/2 has ended processes at answers that only a
/// hostile server sends. The pool notifies this transport when it has sent a request, to distinguish earlier failures
/// from a lost answer.
///
/// Servers are trusted by the system's certificates, or by those in the PEM file that the environment variable
/// `SSL_CERT_FILE` names, such as the certificate of a private certificate authority.
public struct AsyncHTTPTransport: HTTPTransport {
    private static let shared = client(trusting: .trustingNamedCertificates)
    private static let sharedOfferingHTTP2 = client(trusting: .trustingNamedCertificates, offeringHTTP2: true)
    /// The clients that trust other certificates, by the file that holds those; they live as long as the process.
    private static let others = NIOLockedValueBox<[String: HTTPClient]>([:])

    private let client: HTTPClient
    /// Ends the pool that belongs to this transport alone; `nil` for a shared one.
    private let own: OwnClient?

    /// A pool of connections that ends with its transport.
    private final class OwnClient: Sendable {
        let client: HTTPClient

        init(_ client: HTTPClient) {
            self.client = client
        }

        deinit { client.shutdown { _ in } }
    }

    private static func client(
        trusting tls: TLSConfiguration,
        checking accepts: CertificateCheck? = nil,
        offeringHTTP2: Bool = false
    ) -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.httpVersion = offeringHTTP2 ? .automatic : .http1Only
        configuration.http2StreamChannelDebugInitializer = { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(HTTP2StatusCheck(), position: .first)
            }
        }
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .seconds(10)
        configuration.connectionPool.idleTimeout = .seconds(30)
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.tlsConfiguration = tls
        // Both run after the handshake, which verified the certificate, and before the first request.
        configuration.http1_1ConnectionDebugInitializer = { channel in
            let added = HTTP1StatusCheck.add(to: channel)
            guard let accepts else { return added }
            return added.flatMap { check(channel, by: accepts) }
        }
        if let accepts { configuration.http2ConnectionDebugInitializer = { check($0, by: accepts) } }
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// The transport of this process.
    public init() {
        client = Self.shared
        own = nil
    }

    /// A transport that speaks HTTP/2 with servers that offer it, for a service that demands it, such as Apple's push
    /// service.
    ///
    /// - Parameter offeringHTTP2: Whether HTTP/2 is offered; HTTP/1.1 always is.
    public init(offeringHTTP2: Bool) {
        client = offeringHTTP2 ? Self.sharedOfferingHTTP2 : Self.shared
        own = nil
    }

    /// A transport with a separate pool that uses a connection only if its server's certificate is accepted, for apps
    /// that pin certificates; make one, and keep it.
    ///
    /// - Parameter accepts: Returns whether a certificate, already trusted by the system, is accepted.
    public init(checking accepts: @escaping CertificateCheck) {
        client = Self.client(trusting: .trustingNamedCertificates, checking: accepts)
        own = OwnClient(client)
    }

    /// Lets a connection be used if its server's certificate is accepted, and closes it otherwise.
    private static func check(_ channel: any Channel, by accepts: @escaping CertificateCheck) -> EventLoopFuture<Void> {
        let checked = channel.eventLoop.makePromise(of: Void.self)
        channel.nioSSL_peerCertificate().flatMapThrowing { certificate in
            guard let certificate else { throw CertificateError() }
            return try certificate.toDERBytes()
        }.whenComplete { result in
            checked.completeWithTask {
                guard case .success(let bytes) = result, await accepts(bytes) else { throw CertificateError() }
            }
        }
        checked.futureResult.whenFailure { _ in channel.close(promise: nil) }
        return checked.futureResult
    }

    /// The server has no certificate that the app accepts.
    private struct CertificateError: Error {}

    /// A transport that trusts the certificates of a PEM file only.
    ///
    /// - Parameters:
    ///   - file: The path of the file.
    ///   - accepts: As for ``init(checking:)``; `nil`, the default, for every certificate that is trusted.
    ///   - offeringHTTP2: As for ``init(offeringHTTP2:)``; `false` by default.
    package init(trustingFile file: String, checking accepts: CertificateCheck? = nil, offeringHTTP2: Bool = false) {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .file(file)
        if accepts != nil || offeringHTTP2 {
            client = Self.client(trusting: configuration, checking: accepts, offeringHTTP2: offeringHTTP2)
            own = OwnClient(client)
            return
        }
        own = nil
        client = Self.others.withLockedValue { [configuration] clients in
            if let known = clients[file] { return known }
            let client = Self.client(trusting: configuration)
            clients[file] = client
            return client
        }
    }

    /// Sends a request, and collects its answer.
    ///
    /// - Returns: The answer, whatever its status.
    /// - Throws: ``TransportError``; ``TransportError/mayHaveArrived`` is `true` if the request had been sent.
    public func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        let collector = AnswerCollector()
        do {
            let message = try Self.message(for: request, body: body)
            // The client's own limits each cover a part; this one covers the whole.
            return try await TimeLimit.run(limit) {
                let running = client.execute(request: message, delegate: collector)
                return try await withTaskCancellationHandler {
                    try await running.futureResult.get()
                } onCancel: {
                    running.cancel()
                }
            }
        } catch {
            guard !Task.isCancelled else { throw TransportError(.cancelled, because: "cancelled") }
            throw Self.translated(error, wasSent: collector.wasSent)
        }
    }

    private static func message(for request: HTTPRequest, body: [UInt8]) throws -> HTTPClient.Request {
        let place = "\(request.scheme ?? "https")://\(request.authority ?? "")\(request.path ?? "/")"
        // The client traps at an invalid port after a numeric address.
        guard URL(string: place)?.port.map({ UInt16(exactly: $0) != nil }) ?? true else {
            throw TransportError(.notReached, because: "no such port")
        }
        var headers = HTTPHeaders()
        for field in request.headerFields { headers.add(name: field.name.canonicalName, value: field.value) }
        return try HTTPClient.Request(
            url: place,
            method: HTTPMethod(rawValue: request.method.rawValue),
            headers: headers,
            body: body.isEmpty ? nil : .bytes(body)
        )
    }

    /// Once the request was sent, the server may have acted on it, and every failure is a lost answer.
    private static func translated(_ error: any Error, wasSent: Bool) -> TransportError {
        let text = String(reflecting: error)
        guard wasSent else { return TransportError(isAboutTrust(error) ? .notTrusted : .notReached, because: text) }
        return error as? TransportError ?? TransportError(.interrupted, because: text)
    }

    /// Whether TLS failed, other than by a connection that ended during the handshake.
    private static func isAboutTrust(_ error: any Error) -> Bool {
        switch error {
        case is CertificateError: true
        case NIOSSLError.uncleanShutdown: false
        case NIOSSLError.handshakeFailed(.sslError(let stack)) where stack == [.eofDuringHandshake]: false
        default: String(reflecting: error).contains("NIOSSL")
        }
    }
}

/// Collects the parts of one answer, and notes when its request was sent.
private final class AnswerCollector: HTTPClientResponseDelegate {
    typealias Response = HTTPAnswer

    private struct State {
        var wasSent = false
        var head: HTTPResponse?
        var body: [UInt8] = []
    }

    private let state = NIOLockedValueBox(State())

    /// Whether the head of the request went out on a connection.
    var wasSent: Bool { state.withLockedValue(\.wasSent) }

    func didSendRequestHead(task: HTTPClient.Task<HTTPAnswer>, _ head: HTTPRequestHead) {
        state.withLockedValue { $0.wasSent = true }
    }

    func didReceiveHead(task: HTTPClient.Task<HTTPAnswer>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        task.eventLoop.makeCompletedFuture {
            let received = try HTTPResponse(received: head.status.code, head.headers)
            state.withLockedValue { $0.head = received }
        }
    }

    func didReceiveBodyPart(task: HTTPClient.Task<HTTPAnswer>, _ part: ByteBuffer) -> EventLoopFuture<Void> {
        let fits = state.withLockedValue { state in
            guard state.body.count + part.readableBytes <= HTTPAnswer.longestBody else { return false }
            state.body.append(contentsOf: part.readableBytesView)
            return true
        }
        let excess = TransportError(.tooLarge, because: "over \(HTTPAnswer.longestBody) bytes")
        return fits ? task.eventLoop.makeSucceededVoidFuture() : task.eventLoop.makeFailedFuture(excess)
    }

    func didFinishRequest(task: HTTPClient.Task<HTTPAnswer>) throws -> HTTPAnswer {
        let (head, body) = state.withLockedValue { ($0.head, $0.body) }
        guard let head else { throw TransportError(.interrupted, because: "an answer without a head") }
        return HTTPAnswer(head, body: body)
    }
}
#endif
