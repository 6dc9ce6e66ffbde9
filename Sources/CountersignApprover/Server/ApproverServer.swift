internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes

/// The endpoints of a server for one kind of request.
struct ApproverServer: Sendable {
    /// The endpoint for looking at a request.
    let look: Endpoint
    /// The endpoint for telling a decision.
    let decide: Endpoint

    /// The kinds of requests.
    enum Kind: Sendable {
        /// Those of screens nearby.
        case nearby
        /// Authorization requests of other apps.
        case authorization
    }
}

/// Finds the endpoints of the servers that this app is signed in to, and of no other; each once.
///
/// Standard: RFC 8414 §3.
actor ApproverServers {
    /// The network.
    private let transport: any HTTPTransport
    /// The choices of the app.
    private let options: ApprovalOptions
    /// The servers' metadata.
    private var known: [Issuer: AuthorizationServerMetadata] = [:]

    /// No server was found yet.
    init(transport: any HTTPTransport, options: ApprovalOptions) {
        self.transport = transport
        self.options = options
    }

    /// The endpoints of a server for one kind of requests, from its metadata.
    ///
    /// - Throws: ``ApprovalError``: `unreachable`, `busy`, `badAnswer`, or `notOffered` when the metadata name no such
    ///   endpoints.
    func server(of issuer: Issuer, for kind: ApproverServer.Kind) async throws(ApprovalError) -> ApproverServer {
        let metadata = try await metadata(of: issuer)
        let (look, decide) =
            switch kind {
            case .nearby: (metadata.nearbyLookEndpoint, metadata.nearbyDecideEndpoint)
            case .authorization: (metadata.authorizationLookEndpoint, metadata.authorizationDecideEndpoint)
            }
        guard let look, let decide else {
            throw ApprovalError(.notOffered, because: "no endpoints for such requests in the metadata")
        }
        let server = ApproverServer(look: try endpoint(look), decide: try endpoint(decide))
        known[issuer] = metadata
        return server
    }

    /// The page that takes authorization requests from browsers at the server.
    ///
    /// - Throws: ``ApprovalError``: `unreachable`, `busy`, `badAnswer`, or `notOffered` when the metadata name none.
    func authorizationPage(of issuer: Issuer) async throws(ApprovalError) -> Endpoint {
        let metadata = try await metadata(of: issuer)
        guard let page = metadata.authorizationEndpoint else {
            throw ApprovalError(.notOffered, because: "no authorization endpoint in the metadata")
        }
        let endpoint = try endpoint(page)
        known[issuer] = metadata
        return endpoint
    }

    /// Keeps metadata that were found good.
    func remember(_ metadata: AuthorizationServerMetadata, of issuer: Issuer) { known[issuer] = metadata }

    /// The server's metadata, from the first look on.
    func metadata(of issuer: Issuer) async throws(ApprovalError) -> AuthorizationServerMetadata {
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
        do throws(Unreadable) {
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
    func endpoint(_ text: String) throws(ApprovalError) -> Endpoint {
        do throws(Endpoint.Refusal) {
            return try Endpoint(text, allowingInsecureHTTP: options.allowingInsecureHTTP)
        } catch {
            throw ApprovalError(.badAnswer, because: "an endpoint is \(error)")
        }
    }
}
