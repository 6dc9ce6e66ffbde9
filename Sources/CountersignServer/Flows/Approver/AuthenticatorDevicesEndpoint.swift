internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `/authenticator/devices`: a person lists, names and revokes their devices at one of them.
///
/// Only a registered device may name and revoke, since the person sees it on their account: a copy of an access token
/// without a device changes nothing.
struct AuthenticatorDevicesEndpoint: Sendable {
    let requests: ApproverRequests
    private var services: FlowServices { requests.services }
    private static let path = "authenticator/devices"

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint(Self.path, [.get: services.proofs.givingNonces(list)])
        router.endpoint(
            "\(Self.path)/{device}",
            [.put: services.proofs.givingNonces(name), .delete: services.proofs.givingNonces(revoke)]
        )
    }

    private func list(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await requests.answering(request, in: context, at: Self.path) { caller in
            let listed = try await services.store.read { repositories -> [DeviceListing] in
                let app = try caller.app(in: repositories)
                return try repositories.devices.all(of: app.person.subject).map { device in
                    var listing = DeviceListing(device, isCurrent: device.signIn == app.signIn.grant.id)
                    if listing.isCurrent { listing.passwordChanged = app.person.passwordChanged?.numericDate }
                    return listing
                }
            }
            return try .json(listed)
        }
    }

    private func name(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let id = Self.device(in: context)
        return try await requests.answering(request, in: context, at: "\(Self.path)/\(id)") { caller in
            try await caller.authenticate()
            // A form has no empty fields; without a name, the device loses its name.
            let name = try await request.form()["name"] ?? ""
            return try await change(id, by: caller) { device, repositories in
                var device = device
                device.rename(name)
                try repositories.devices.update(device)
            }
        }
    }

    private func revoke(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let id = Self.device(in: context)
        let (mint, now) = (services.mint, services.clock.now())
        return try await requests.answering(request, in: context, at: "\(Self.path)/\(id)") { caller in
            try await caller.authenticate()
            return try await change(id, by: caller) { device, repositories in
                try Revocation(repositories).remove(device, askedBy: .person, from: caller.address, by: mint, at: now)
            }
        }
    }

    /// The device that the path names.
    private static func device(in context: ServerRequestContext) -> DeviceRegistration.ID {
        DeviceRegistration.ID(context.parameters.get("device") ?? "")
    }

    /// Changes a device of the caller's person. The answer is the same for another person's device and for none.
    private func change(
        _ id: DeviceRegistration.ID,
        by caller: ApproverRequests.Caller,
        _ change: @escaping @Sendable (EnrolledDevice, any Repositories) throws -> Void
    ) async throws -> Response {
        let isFound = try await services.store.change { repositories -> Bool in
            let app = try caller.countedApp(in: repositories)
            _ = try requests.device(of: app, in: repositories)
            guard app.signIn.approverKey != nil else { throw ApproverRequests.keyMissing }
            guard let device = try repositories.devices.find(id), device.subject == app.person.subject else {
                return false
            }
            try change(device, repositories)
            return true
        }
        guard isFound else { return JSONResponse(Self.unknown, status: .notFound).response }
        return ApproverRequests.done
    }

    private static let unknown = OAuthError(
        .invalidRequest, "there is no such device", because: "another person's device, or none")
}

extension DeviceListing {
    fileprivate init(_ device: EnrolledDevice, isCurrent: Bool) {
        self.init(
            id: device.id,
            name: device.details.name,
            model: device.details.model,
            platform: device.details.platform,
            added: device.created.numericDate,
            seen: device.lastSeen.numericDate,
            isCurrent: isCurrent
        )
    }
}
