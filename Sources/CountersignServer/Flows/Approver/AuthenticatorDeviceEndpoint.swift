internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `/authenticator/device`: an app registers the device of its sign-in, reads the registration, or removes it.
struct AuthenticatorDeviceEndpoint: Sendable {
    let requests: ApproverRequests
    private var services: FlowServices { requests.services }
    private static let path = "authenticator/device"
    /// The error for an app whose sign-in ends at a chosen time: a device stays enrolled.
    private static let endsByItself = OAuthError(
        .accessDenied,
        "this app is signed in until a chosen time only; enroll a device that stays signed in",
        because: "a sign-in that ends by itself"
    )

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint(
            Self.path,
            [
                .get: services.proofs.givingNonces(show), .put: services.proofs.givingNonces(register),
                .delete: services.proofs.givingNonces(remove),
            ]
        )
    }

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await requests.answering(request, in: context, at: Self.path) { caller in
            let device = try await services.store.read { repositories in
                try repositories.devices.find(try caller.app(in: repositories).signIn.grant.id)
            }
            guard let device else { return JSONResponse(ApproverRequests.notRegistered, status: .notFound).response }
            return try await answer(device)
        }
    }

    /// The state of a device, with the key for Web Push.
    private func answer(_ device: EnrolledDevice) async throws -> Response {
        var registration = device.registration
        if services.accounts.webPush != nil {
            registration.webPushKey = try await services.keys.current().applicationServerKey.text
        }
        return try .json(registration)
    }

    private func register(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await requests.answering(request, in: context, at: Self.path) { caller in
            try await caller.authenticate()
            let said = try await Self.details(in: request)
            try check(said.pushSubscription, besides: said.pushToken)
            let number = try said.phoneNumber.map { try served($0) }
            let key = try said.keyProof.map { text throws(OAuthError) in
                try UnverifiedDeviceKeyProof(text).key(for: services.issuer.text, presenting: caller.token.token)
            }
            let id: DeviceRegistration.ID = services.mint.identifier()
            let now = services.clock.now()
            let device = try await services.store.change { repositories in
                let app = try caller.countedApp(in: repositories)
                guard app.signIn.grant.ends == nil else { throw Self.endsByItself }
                try Self.bind(key, to: app, in: repositories)
                return try register(said, as: id, of: app, from: caller.address, at: now, in: repositories)
            }
            let languages = LanguageRanges(parsing: request.headers[values: .acceptLanguage])
            let numbered = NumberedDevice(device, preferring: languages)
            guard number != nil || said.verificationCode != nil else { return try await answer(device) }
            do {
                try await prove(number, said.verificationCode, at: numbered, from: caller.address)
            } catch is RemovedDeviceError {
                // It was signed out meanwhile, and this throws, or it was removed.
                try await caller.authenticate()
                return JSONResponse(ApproverRequests.notRegistered, status: .notFound).response
            }
            let proved = try await services.store.read { try $0.devices.find(device.id) }
            return try await answer(proved ?? device)
        }
    }

    /// The telephone number that a person typed.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` for other text, and for a number that the operator does not serve.
    private func served(_ text: String) throws(OAuthError) -> ServedNumber {
        guard let number = try? PhoneNumber(text) else {
            throw OAuthError(
                .invalidRequest,
                "phone_number is no telephone number in the international form",
                because: "an unreadable telephone number"
            )
        }
        do {
            return try services.accounts.phoneNumbers.served(number)
        } catch {
            throw OAuthError(
                .invalidRequest, "no codes are sent to such numbers", because: "the operator serves no such number")
        }
    }

    /// Proves the telephone number that the person typed, by the code that they typed.
    private func prove(
        _ number: ServedNumber?,
        _ code: String?,
        at numbered: NumberedDevice,
        from address: String?
    ) async throws {
        if let number { _ = try await services.accounts.phoneNumbers.register(number, for: numbered, from: address) }
        if let code {
            guard case .right = try await services.accounts.phoneNumbers.verify(code, for: numbered, from: address)
            else {
                throw OAuthError(.invalidGrant, "the code is not good", because: "a wrong or old code for a number")
            }
        }
    }

    private func remove(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await requests.answering(request, in: context, at: Self.path) { caller in
            let now = services.clock.now()
            try await services.store.change { repositories in
                let app = try caller.app(in: repositories)
                guard let device = try repositories.devices.find(app.signIn.grant.id) else { return }
                try Revocation(repositories).remove(
                    device, askedBy: .app, from: caller.address, by: services.mint, at: now)
            }
            return ApproverRequests.done
        }
    }

    // MARK: Parts

    private static func details(in request: Request) async throws -> DeviceDetails {
        let body = try await request.body(of: "application/json")
        guard let said = try? JSONDecoder().decode(DeviceDetails.self, from: Data(body)) else {
            throw OAuthError(.invalidRequest, "the body is no description of a device", because: "unreadable JSON")
        }
        return said
    }

    /// Checks the address of a push service that an app names itself.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` for one that the server does not call, and for one beside a token.
    private func check(_ subscription: WebPushSubscription?, besides token: String?) throws(OAuthError) {
        guard let subscription else { return }
        guard token == nil else {
            throw OAuthError(.invalidRequest, "push_token and push_subscription name one address", because: "both")
        }
        let off = "This server sends no messages by UnifiedPush and Web Push."
        guard let objection = services.accounts.webPush.map({ $0.objection(to: subscription) }) ?? off else { return }
        // The person who chose the push service reads that; it tells nothing but the rule for the address.
        throw OAuthError(.invalidRequest, objection, because: "push_subscription: \(objection)")
    }

    /// Binds the key of a device to its sign-in, once and before its first decision, so that a copy of the access token
    /// is useless.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` without a key, and for another one than the first.
    private static func bind(_ key: ApproverKey?, to app: ApprovingApp, in repositories: any Repositories) throws {
        if let bound = app.signIn.approverKey {
            guard key == nil || key == bound else { throw VerifiedDecision.otherKey }
            return
        }
        guard let key else { throw ApproverRequests.keyMissing }
        var signIn = app.signIn
        signIn.approverKey = key
        try repositories.signIns.update(signIn)
    }

    private func register(
        _ said: DeviceDetails,
        as id: DeviceRegistration.ID,
        of app: ApprovingApp,
        from address: String?,
        at now: Date,
        in repositories: any Repositories
    ) throws -> EnrolledDevice {
        let known = try repositories.devices.find(app.signIn.grant.id)
        var device =
            known
            ?? EnrolledDevice(
                id: id,
                dialect: .signed,
                subject: app.person.subject,
                signIn: app.signIn.grant.id,
                created: now
            )
        device.update(said)
        device.lastSeen = now
        if device.pushToken != known?.pushToken { try EnrolledDevices(repositories).claimPushToken(of: device) }
        guard known == nil else {
            try repositories.devices.update(device)
            return device
        }
        try repositories.devices.insert(device)
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: now,
                .deviceAdded,
                by: .person,
                subject: app.person.subject,
                client: app.signIn.grant.client,
                address: address,
                detail: device.shownInAudit
            )
        )
        try services.accounts.newDevices.tell(
            of: device, client: app.signIn.grant.client, by: .enrollment, at: now, in: repositories)
        return device
    }
}
