internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes

/// Where a server is looked at and told.
struct ApproverServer: Sendable {
    let look: Endpoint
    let decide: Endpoint
}

/// Finds the endpoints of the servers to which this app is signed in, and of no other; each once.
///
/// Standard: RFC 8414 §3.
actor ApproverServers {
    private let transport: any HTTPTransport
    private let options: NearbyApprovalOptions
    private var known: [Issuer: ApproverServer] = [:]

    init(transport: any HTTPTransport, options: NearbyApprovalOptions) {
        self.transport = transport
        self.options = options
    }

    func server(of issuer: Issuer) async throws(NearbyApprovalError) -> ApproverServer {
        if let server = known[issuer] { return server }
        let place = try endpoint(issuer.wellKnown("oauth-authorization-server"))
        let answer: HTTPAnswer
        do throws(TransportError) {
            answer = try await transport.send(place.request(.get), body: [], within: options.timeLimit)
        } catch {
            throw NearbyApprovalError(looking: error)
        }
        guard answer.response.status == .ok, let metadata = try? answer.decoded(AuthorizationServerMetadata.self) else {
            throw NearbyApprovalError(.unreachable, because: "no metadata: status \(answer.response.status.code)")
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

    private func endpoint(_ text: String) throws(NearbyApprovalError) -> Endpoint {
        do throws(Endpoint.Refusal) {
            return try Endpoint(text, allowingInsecureHTTP: options.allowingInsecureHTTP)
        } catch {
            throw NearbyApprovalError(.badAnswer, because: "an endpoint is \(error)")
        }
    }
}
