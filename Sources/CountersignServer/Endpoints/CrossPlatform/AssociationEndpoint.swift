internal import Countersign
internal import CountersignWire
internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// `POST /cpa/associate`: a device asks for a person to sign it in for one domain.
///
/// It decides who is asked: any person with the code, the person who signed the device in before, or no one.
/// Standard: ETSI TS 103 407 §8.3.
struct AssociationEndpoint: Sendable {
    let server: ServerServices
    let signOn: SingleSignOn

    private static let interval = DeviceAuthorizationResponse.standardInterval

    func mount(on router: some RouterMethods<ServerRequestContext>, for pages: CrossOriginAccess) {
        router.crossPlatform("associate", from: pages, answer)
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let asked = try AssociationRequest(members: try await request.textMembers())
        let client = try await server.clients.device(asked.client, proving: asked.secret, by: request, in: context)
            .client
        // Refused before anything is to be written.
        guard try await server.store.read({ try $0.domains.find(asked.domain) }) != nil else {
            throw CrossPlatformError.unknownDomain
        }
        let address = context.address(of: request, by: server.addresses)
        return try .json(try await associate(client, with: asked.domain, from: address))
    }

    /// Records the request under a new pair of codes. A user code that is in use already is drawn again.
    private func associate(
        _ client: Client,
        with domain: Domain,
        from address: String?
    ) async throws -> AssociationResponse {
        let keys = try await server.keys.current()
        let response = try await server.store.retryingTakenKeys {
            let codes = (device: server.mint.secret(DeviceCode.self), user: server.mint.userCode())
            let way = try await record(
                client, domain, address, device: codes.device.digest, user: keys.digest(of: codes.user))
            return AssociationResponse(
                deviceCode: codes.device,
                shape: way.shape(at: server.issuer.appending("cpa/verify"), with: codes.user, every: Self.interval),
                expiresIn: Int(client.lifetimes.code)
            )
        }
        guard let response else {
            throw CrossPlatformError(
                .temporarilyUnavailable,
                "no code is free",
                because: "all user codes that were drawn are in use"
            )
        }
        return response
    }

    private func record(
        _ client: Client,
        _ domain: Domain,
        _ address: String?,
        device: SecretDigest,
        user: UserCodeDigest
    ) async throws -> SingleSignOn.Way {
        let now = server.clock.now()
        do {
            return try await server.store.change { repositories in
                let way = try begin(client, domain, at: now, in: repositories)
                try server.limits.admitAndCount(rateKeys(client, address, way), in: repositories)
                let request = request(by: client, for: domain, from: address, addressee: way.addressee, at: now)
                var exchange = SignInExchange(request: request)
                if case .automatic(let earlier) = way {
                    try signOn.approve(&exchange, after: earlier, at: now, in: repositories)
                }
                try repositories.exchanges.insert(
                    StoredExchange(
                        exchange: exchange,
                        deviceCode: device,
                        userCode: way == .code ? user : nobodysCode(),
                        interval: Self.interval
                    )
                )
                return way
            }
        } catch is Policy.Refusal {
            throw CrossPlatformError(.invalidClient, "client authentication failed", because: "refused by policy")
        }
    }

    private func begin(
        _ client: Client,
        _ domain: Domain,
        at now: Date,
        in repositories: any Repositories
    ) throws -> SingleSignOn.Way {
        guard let domain = try repositories.domains.find(domain) else { throw CrossPlatformError.unknownDomain }
        try server.policy.authorize(.start, client: client.id, subject: nil, evidence: Evidence(), in: repositories)
        return try signOn.way(of: client.id, to: domain, at: now, in: repositories)
    }

    private func rateKeys(_ client: Client, _ address: String?, _ way: SingleSignOn.Way) -> [RateLimitKey] {
        var rateKeys: [RateLimitKey] = [
            .address(.startPerAddress, address), .client(.startPerClient, client.id), .overall(.startOverall),
        ]
        // A device that was signed in once must not fill its person's page.
        if case .confirmation(let subject) = way { rateKeys.append(.subject(.confirmationPerAccount, subject)) }
        return rateKeys
    }

    private func request(
        by client: Client,
        for domain: Domain,
        from address: String?,
        addressee: Subject?,
        at now: Date
    ) -> SignInRequest {
        SignInRequest(
            id: server.mint.identifier(),
            client: .verified(client.id),
            scope: .verified(client.scope),
            domain: .verified(domain),
            addressee: addressee,
            address: address.map { .observed($0) },
            software: client.registration.softwareName.map { .asserted($0) },
            asked: .observed(now),
            deadline: now + client.lifetimes.code
        )
    }

    /// Where no code is shown, none leads to the request.
    private func nobodysCode() -> UserCodeDigest {
        UserCodeDigest(restoring: server.mint.keyBytes(32))
    }
}

extension SingleSignOn.Way {
    fileprivate var addressee: Subject? {
        switch self {
        case .code: nil
        case .confirmation(let subject): subject
        case .automatic(let earlier): earlier.grant.subject
        }
    }

    fileprivate func shape(at address: String, with code: UserCode, every interval: Int) -> AssociationResponse.Shape {
        switch self {
        case .code: .code(ShownCode(code.description), at: address, interval: interval)
        case .confirmation: .confirmation(at: address, interval: interval)
        case .automatic: .automatic
        }
    }
}

extension Client.Registration {
    /// The software's name and version, as a device said them; `nil` where there is nothing to show.
    fileprivate var softwareName: String? {
        guard case .device(let software, _) = self else { return nil }
        return DeviceAuthorizationRequest.presentable("\(software.id) \(software.version)")
    }
}
