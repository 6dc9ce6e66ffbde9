#if canImport(Darwin)
public import FoundationEssentialsCompat
public import HTTPTypes

/// The network on Apple's systems, by URLSession. Not compiled on Linux.
public final class URLSessionTransport: NSObject, HTTPTransport, URLSessionTaskDelegate {
    private let session: URLSession
    private let accepts: CertificateCheck?

    /// A transport that keeps no cookies, no cache and no credentials.
    public override convenience init() {
        self.init(accepting: nil)
    }

    /// A transport that uses a connection only if its server's certificate is accepted, for apps that pin certificates.
    ///
    /// - Parameter accepts: Returns whether a certificate, already trusted by the system, is accepted.
    public convenience init(checking accepts: @escaping CertificateCheck) {
        self.init(accepting: accepts)
    }

    private init(accepting accepts: CertificateCheck?) {
        self.accepts = accepts
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.waitsForConnectivity = false
        session = URLSession(configuration: configuration)
        super.init()
    }

    /// Sends a request, and collects its answer.
    ///
    /// - Returns: The answer, whatever its status.
    /// - Throws: ``TransportError``; ``TransportError/mayHaveArrived`` says whether the request may have been sent.
    public func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        let place = "\(request.scheme ?? "https")://\(request.authority ?? "")\(request.path ?? "/")"
        guard let url = URL(string: place) else {
            throw TransportError(.notReached, because: "no URL")
        }
        var message = URLRequest(url: url, timeoutInterval: limit / .seconds(1))
        message.httpMethod = request.method.rawValue
        message.httpBody = body.isEmpty ? nil : Data(body)
        for field in request.headerFields {
            message.addValue(field.value, forHTTPHeaderField: field.name.canonicalName)
        }
        let finished = message
        do {
            // The session's own limit starts again with each byte.
            return try await TimeLimit.run(limit) {
                let (bytes, response) = try await self.session.bytes(for: finished, delegate: self)
                var collected: [UInt8] = []
                for try await byte in bytes {
                    guard collected.count < HTTPAnswer.longestBody else {
                        throw TransportError(.tooLarge, because: "over \(HTTPAnswer.longestBody) bytes")
                    }
                    collected.append(byte)
                }
                return HTTPAnswer(try Self.head(of: response), body: collected)
            }
        } catch {
            guard !Task.isCancelled else { throw TransportError(.cancelled, because: "cancelled") }
            // A certificate that is not accepted cancels the challenge, and so the task.
            if accepts != nil, (error as? URLError)?.code == .cancelled {
                throw TransportError(.notTrusted, because: "the certificate is not accepted")
            }
            throw Self.translated(error)
        }
    }

    /// Follows no redirect: the redirect itself is the answer.
    ///
    /// - Parameters:
    ///   - session: The session of this transport.
    ///   - task: The task that met the redirect.
    ///   - response: The redirect.
    ///   - request: The request that would follow it.
    /// - Returns: `nil`, always.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) async -> URLRequest? {
        nil
    }

    /// Lets the system verify the server's certificate, and then the app.
    ///
    /// - Parameters:
    ///   - session: The session of this transport.
    ///   - task: The task that meets the challenge.
    ///   - challenge: The certificate or other proof that the server shows.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        guard let accepts,
            challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust,
            let trust = challenge.protectionSpace.serverTrust
        else { return (.performDefaultHandling, nil) }
        guard SecTrustEvaluateWithError(trust, nil),
            let own = (SecTrustCopyCertificateChain(trust) as? [SecCertificate])?.first,
            await accepts(Array(SecCertificateCopyData(own) as Data))
        else { return (.cancelAuthenticationChallenge, nil) }
        return (.useCredential, URLCredential(trust: trust))
    }

    private static func head(of response: URLResponse) throws(TransportError) -> HTTPResponse {
        guard let response = response as? HTTPURLResponse else {
            throw TransportError(.interrupted, because: "an answer without a head")
        }
        let fields = response.allHeaderFields.compactMap { name, value -> (name: String, value: String)? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return (name, value)
        }
        return try HTTPResponse(received: response.statusCode, fields)
    }

    /// Errors that mean that no connection was made; all others may occur after the request was sent.
    private static func translated(_ error: any Error) -> TransportError {
        if let known = error as? TransportError { return known }
        if error is CancellationError { return TransportError(.cancelled, because: "cancelled") }
        guard let failure = error as? URLError else {
            return TransportError(.interrupted, because: String(describing: error))
        }
        let text = "URLError \(failure.errorCode)"
        return switch failure.code {
        case .cancelled: TransportError(.cancelled, because: text)
        case .timedOut: TransportError(.timedOut, because: text)
        case .badURL, .unsupportedURL, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed,
            .notConnectedToInternet, .internationalRoamingOff, .callIsActive, .dataNotAllowed,
            .appTransportSecurityRequiresSecureConnection:
            TransportError(.notReached, because: text)
        case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid, .secureConnectionFailed:
            TransportError(.notTrusted, because: text)
        default: TransportError(.interrupted, because: text)
        }
    }
}
#endif
