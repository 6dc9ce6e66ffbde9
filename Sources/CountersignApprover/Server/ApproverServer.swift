internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes

/// Where a server is looked at and told.
struct ApproverServer: Sendable {
    /// Where a request is looked at.
    let look: Endpoint
    /// Where a decision is told.
    let decide: Endpoint
}

/// Finds the endpoints of the servers to which this app is signed in, and of no other; each once.
///
/// Standard: RFC 8414 §3.
actor ApproverServers {
    /// The network.
    private let transport: any HTTPTransport
    /// Where there is a choice.
    private let options: NearbyApprovalOptions
    /// The servers that were found.
    private var known: [Issuer: ApproverServer] = [:]

    /// No server was found yet.
    init(transport: any HTTPTransport, options: NearbyApprovalOptions) {
        self.transport = transport
        self.options = options
    }

    /// The endpoints of a server, from its metadata.
    ///
    /// - Throws: ``NearbyApprovalError``: `unreachable`, `badAnswer`, or `notOffered` when the metadata name no such
    ///   endpoints.
    func server(of issuer: Issuer) async throws(NearbyApprovalError) -> ApproverServer {
        if let server = known[issuer] { return server }
        let place = try endpoint(issuer.wellKnown("oauth-authorization-server"))
        let answer: HTTPAnswer
        do throws(TransportError) {
            answer = try await transport.send(place.request(.get), body: [], within: options.attemptTimeLimit)
        } catch {
            throw NearbyApprovalError(looking: error)
        }
        guard answer.response.status == .ok, let metadata = try? answer.decoded(AuthorizationServerMetadata.self) else {
            let status = answer.response.status
            throw NearbyApprovalError(
                .unreachable, because: "no metadata: status \(status.code)", isPassing: status.kind == .serverError)
        }
        guard metadata.issuer == issuer.text || metadata.issuer == "\(issuer.text)/" else {
            throw NearbyApprovalError(.badAnswer, because: "the metadata are another issuer's")
        }
        guard let look = metadata.nearbyLookEndpoint, let decide = metadata.nearbyDecideEndpoint else {
            throw NearbyApprovalError(.notOffered, because: "no endpoints for screens nearby in the metadata")
        }
        let server = ApproverServer(look: try endpoint(look), decide: try endpoint(decide))
        known[issuer] = server
        return server
    }

    /// An endpoint by its URL, which must be encrypted unless the options say otherwise.
    private func endpoint(_ text: String) throws(NearbyApprovalError) -> Endpoint {
        do throws(Endpoint.Refusal) {
            return try Endpoint(text, allowingInsecureHTTP: options.allowingInsecureHTTP)
        } catch {
            throw NearbyApprovalError(.badAnswer, because: "an endpoint is \(error)")
        }
    }
}
