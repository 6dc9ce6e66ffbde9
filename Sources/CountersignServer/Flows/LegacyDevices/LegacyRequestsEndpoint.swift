internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `GET /authenticator/v1.0/device/{id}/environment/{env}/auth` lists the open request of a site, and
/// `PUT /authenticator/v1.0/device/{id}/instant/{authId}` answers it.
struct LegacyRequestsEndpoint: Sendable {
    let devices: LegacyDevices
    private var services: FlowServices { devices.services }

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        let device = "authenticator/v1.0/device/{id}"
        router.authenticatorEndpoint("\(device)/environment/{environment}/auth", [.get: list])
        router.authenticatorEndpoint("\(device)/instant/{request}", [.put: decide])
    }

    /// Lists the newest open request, or none; also one that only a device with a field for its number may approve, so
    /// that the person can deny it here, and sees it when that device is lost.
    @Sendable private func list(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let call = try context.legacyCall(request, from: services.addresses)
        let device = try await devices.authentication.authenticated(call)
        let keys = try await services.keys.current()
        let now = services.clock.now()
        let open = try await services.store.read { repositories -> SignInExchangeRecord? in
            let subject = device.person.subject
            return try RequestInbox(repositories).shown(to: subject, at: now).last { stored in
                stored.method.environment == device.environment.id && stored.status(at: now) == .open
                    && isEnough(for: stored, at: now)
            }
        }
        return try .json(open.map { [shown($0, trusting: keys)] } ?? [])
    }

    /// The evidence of an approval by a device of the older dialect, which cannot ask its person for the number of the
    /// request.
    private static func evidence(at now: Date) -> Evidence {
        Evidence([.namedByClient, .possession(.sharedSecret, at: now)])
    }

    /// Whether a request is shown to devices of the older dialect: one that policy would let them approve.
    private func isEnough(for stored: SignInExchangeRecord, at now: Date) -> Bool {
        guard !stored.method.isTextOnly else { return false }
        guard stored.method.kind == .instant else { return true }
        do throws(Policy.ViolationError) {
            try services.approvals.policy.authorize(
                .decision,
                client: .active,
                subject: .active,
                evidence: Self.evidence(at: now),
                scope: stored.exchange.request.scope.value,
                demands: stored.terms.demands
            )
            return true
        } catch {
            return false
        }
    }

    private func shown(_ stored: SignInExchangeRecord, trusting keys: Keys) -> AuthenticationRequest {
        var request = AuthenticationRequest(stored, at: services.clock.now())
        if case .customerSite(let terms) = stored.method {
            request.pin = terms.revealedPassword(of: stored.id, with: keys)
        }
        return request
    }

    /// Answers an open request to approve, by yes or no.
    @Sendable private func decide(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let token = try request.environmentToken()
        let body = try await request.jsonBody()
        let id = context.environmentRequest
        let stored = try await services.store.read { try $0.exchanges.find(id) }
        guard let stored, let environment = stored.method.environment else {
            throw CustomerSiteRequests.unknown
        }
        let call = LegacyDeviceAuthentication.Call(
            device: context.legacyDevice,
            environment: environment,
            token: token,
            body: body,
            request: AuthenticationRequest.ID(id.rawValue),
            address: context.address(of: request, by: services.addresses)
        )
        let device = try await devices.authentication.authenticated(call)
        let answer = try? JSONDecoder().decode(LegacyAnswer.self, from: Data(body)).status
        guard answer == .approved || answer == .denied else {
            throw CustomerSiteAPIError.malformed("The member auth_status is approved or denied.")
        }
        try devices.authentication.use(token)
        let decided = try await decide(
            answer == .approved ? .approve : .deny, id, by: device, from: call.address)
        return try .json(shown(decided, trusting: try await services.keys.current()))
    }

    private func decide(
        _ answer: ProposedDecision.Answer,
        _ id: SignInRequest.ID,
        by device: AuthenticatedLegacyDevice,
        from address: String?
    ) async throws -> SignInExchangeRecord {
        try await services.approvals.deciding { repositories, step in
            try device.require(in: repositories)
            guard let stored = try repositories.exchanges.find(id),
                stored.exchange.request.isOpen(to: device.person.subject),
                stored.method.environment == device.environment.id
            else { throw CustomerSiteRequests.unknown }
            guard stored.method.kind == .instant else {
                throw CustomerSiteAPIError.malformed("Only a request to approve can be answered.")
            }
            if let failure = CustomerSiteAPIError(answering: stored.status(at: step.now)) { throw failure }
            if answer == .approve,
                try EnrolledDevices(repositories).isForNumberedDevice(stored, of: device.person.subject, at: step.now)
            {
                let reason = "the person has a device that asks for the number"
                throw CustomerSiteAPIError(.forbidden, Self.notAllowed, because: reason)
            }
            let outcome = try step.decide(
                ProposedDecision(
                    answer: answer,
                    stored: stored,
                    requestState: .open,
                    party: .legacyDevice(device),
                    evidence: answer == .approve ? Self.evidence(at: step.now) : Evidence(),
                    address: address,
                    note: "older dialect"
                )
            )
            if let failure = CustomerSiteAPIError(outcome, refusedAs: Self.notAllowed) { throw failure }
            guard let after = try repositories.exchanges.find(id) else { throw CustomerSiteRequests.unknown }
            return after
        }
    }

    private static let notAllowed = "The approval is not allowed by this device."
}
