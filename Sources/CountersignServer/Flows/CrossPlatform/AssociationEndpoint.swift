internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// `POST /cpa/associate`: a device asks to be signed in for one domain.
///
/// Standard: ETSI TS 103 407 §8.3.
struct AssociationEndpoint: Sendable {
    let services: FlowServices

    func mount(on router: some RouterMethods<ServerRequestContext>, for pages: CrossOriginAccess) {
        router.crossPlatform("associate", from: pages, answer)
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let asked = try AssociationRequest(members: try await request.textMembers())
        let device = try await services.clients.authentication.device(
            asked.client, proving: asked.secret, by: request, in: context)
        let outcome = try await services.starts.start(
            SignInStartRequest(
                client: device.client,
                provenance: device.provenance,
                scope: device.client.scope,
                domain: asked.domain,
                address: context.address(of: request, by: services.addresses),
                software: device.client.registration.softwareName,
                showsNumber: NumberPreference(parsing: request.headers[values: .prefer]) != nil,
                renewsLink: FreshLinkPreference.isStated(in: request.headers[values: .prefer]),
                ways: [.code]
            )
        )
        return try .json(try response(outcome))
    }

    private func response(_ outcome: SignInStartOutcome) throws -> AssociationResponse {
        switch outcome {
        case .started(let started):
            return AssociationResponse(
                deviceCode: started.deviceCode,
                shape: started.way.shape(
                    at: services.issuer.appending("cpa/verify"), every: SignInStartService.interval),
                expiresIn: Int(started.lifetime.rounded(.up)),
                link: started.link
            )
        case .unknownDomain:
            throw CrossPlatformError.unknownDomain
        case .refused(.noWay):
            throw CrossPlatformError(
                .invalidClient, "no way of this request can prove what it needs", because: "no way meets the demands")
        case .refused(let refusal):
            throw CrossPlatformError(.invalidClient, "client authentication failed", because: "policy: \(refusal)")
        case .wrongPersonCode: throw UnexpectedStartError()
        case .noFreeCode:
            throw CrossPlatformError(
                .temporarilyUnavailable,
                "no code is free",
                because: "all user codes that were drawn are in use"
            )
        }
    }
}

extension StartedSignIn.Way {
    fileprivate func shape(at address: String, every interval: Int) -> AssociationResponse.Shape {
        switch self {
        case .code(let code): .code(UserCodeText(code.description), at: address, interval: interval)
        case .confirmation: .confirmation(at: address, interval: interval)
        case .automatic: .automatic
        }
    }
}

extension Client.Registration {
    /// The software's name and version, as the device stated them; `nil` when there is nothing to show.
    fileprivate var softwareName: String? {
        guard case .device(let software, _) = self else { return nil }
        return DeviceAuthorizationRequest.presentable("\(software.id) \(software.version)")
    }
}
