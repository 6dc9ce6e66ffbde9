internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes

/// Finds the endpoints of the servers that this app is signed in to, and of no other; each once.
///
/// Standard: RFC 8414 §3.
actor ApproverServers {
    /// The choices of the app.
    nonisolated let options: ApprovalOptions
    nonisolated let clock: TimeSource
    /// The network.
    private let transport: any HTTPTransport
    private var known: [Issuer: AuthorizationServerMetadata] = [:]

    /// No server was found yet.
    init(over transport: any HTTPTransport, options: ApprovalOptions, clock: TimeSource) {
        self.transport = transport
        self.options = options
        self.clock = clock
    }

    /// The endpoint of a call, from the metadata of its server.
    ///
    /// - Throws: ``ApprovalError``: `unreachable`, `busy`, `notTrusted`, `badAnswer`, or `notOffered` when the metadata
    ///   name no such endpoint.
    func endpoint(_ place: ApproverCall.Place, of issuer: Issuer) async throws(ApprovalError) -> Endpoint {
        switch place {
        case .approver(let path): try await endpoint(\.approverEndpoint, of: issuer) { "\($0)/\(path)" }
        case .authenticator(let path): try await endpoint(\.authenticatorEndpoint, of: issuer) { "\($0)/\(path)" }
        }
    }

    /// The page that takes authorization requests from browsers at the server.
    ///
    /// - Throws: ``ApprovalError``: `unreachable`, `busy`, `badAnswer`, or `notOffered` when the metadata name none.
    func authorizationPage(of issuer: Issuer) async throws(ApprovalError) -> Endpoint {
        try await endpoint(\.authorizationEndpoint, of: issuer) { $0 }
    }

    private func endpoint(
        _ member: KeyPath<AuthorizationServerMetadata, String?>,
        of issuer: Issuer,
        _ text: (String) -> String
    ) async throws(ApprovalError) -> Endpoint {
        let metadata = try await metadata(of: issuer)
        guard let base = metadata[keyPath: member] else {
            throw ApprovalError(.notOffered, because: "no endpoint for such requests in the metadata")
        }
        let endpoint = try endpoint(text(base))
        known[issuer] = metadata
        return endpoint
    }

    /// The server's metadata, from the first look on.
    private func metadata(of issuer: Issuer) async throws(ApprovalError) -> AuthorizationServerMetadata {
        if let metadata = known[issuer] { return metadata }
        let place = try endpoint(issuer.wellKnown("oauth-authorization-server"))
        let answer: HTTPAnswer
        do throws(TransportError) {
            answer = try await transport.send(place.request(.get), body: [], within: options.attemptTimeLimit)
        } catch {
            throw ApprovalError(looking: error)
        }
        guard answer.response.status == .ok else { throw ApprovalError(lackingMetadata: answer) }
        let metadata: AuthorizationServerMetadata
        do throws(UnreadableAnswerError) {
            metadata = try answer.decoded(AuthorizationServerMetadata.self, orAs: HTTPAnswer.staticMedia)
        } catch {
            throw ApprovalError(.badAnswer, because: "the metadata cannot be read: \(error.reason)")
        }
        guard metadata.issuer == issuer.text || metadata.issuer == "\(issuer.text)/" else {
            throw ApprovalError(.badAnswer, because: "the metadata are another issuer's")
        }
        return metadata
    }

    /// An endpoint by its URL, which must be encrypted unless the options say otherwise.
    private func endpoint(_ text: String) throws(ApprovalError) -> Endpoint {
        do throws(Endpoint.ParsingError) {
            return try Endpoint(text, allowingInsecureHTTP: options.allowingInsecureHTTP)
        } catch {
            throw ApprovalError(.badAnswer, because: "an endpoint is \(error)")
        }
    }

    /// Repeats an idempotent call until the server is reached or time runs out.
    nonisolated func persistently<Value: Sendable>(
        _ attempt: () async throws(ApprovalError) -> Value
    ) async throws(ApprovalError) -> Value {
        let end = clock.instant() + options.lookTimeLimit
        var pause = Duration.milliseconds(250)
        while true {
            do throws(ApprovalError) {
                return try await attempt()
            } catch {
                guard error.isPassing, clock.instant() + pause < end else { throw error }
            }
            guard (try? await clock.sleep(for: pause)) != nil else {
                throw ApprovalError(.cancelled, because: "the task was cancelled")
            }
            pause = min(pause * 2, .seconds(4))
        }
    }
}
