internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `/authenticator/devices`: a person lists the devices that answer for them at one of these, names them, and revokes
/// one that is lost.
///
/// Naming and revoking take a registered device, whose key its person saw on their account: a copy of an access token
/// that never registered changes nothing.
struct AuthenticatorDevicesEndpoint: Sendable {
    let server: ServerServices
    private var requests: ApproverRequests { ApproverRequests(server: server) }
    private static let path = "authenticator/devices"

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint(Self.path, [.get: server.proofs.givingNonces(list)])
        router.endpoint(
            "\(Self.path)/{device}",
            [.put: server.proofs.givingNonces(name), .delete: server.proofs.givingNonces(revoke)]
        )
    }

    private func list(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await requests.answering(request, in: context, at: Self.path) { caller in
            let listed = try await server.store.read { repositories -> [DeviceListing] in
                let app = try caller.app(in: repositories)
                return try repositories.devices.all(of: app.person.subject).map { device in
                    DeviceListing(device, isCurrent: device.signIn == app.signIn.grant.id)
                }
            }
            return try .json(listed)
        }
    }

    private func name(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await change(in: context, by: request) { form in
            // A form leaves out what is empty, and an empty name takes the name away.
            let name = form["name"] ?? ""
            return { device, _, repositories in
                var device = device
                device.rename(name)
                try repositories.devices.update(device)
            }
        }
    }

    private func revoke(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (mint, now) = (server.mint, server.clock.now())
        return try await change(in: context, by: request) { _ in
            { device, caller, repositories in
                try Revocation(repositories).remove(device, askedBy: .person, from: caller.address, by: mint, at: now)
            }
        }
    }

    private typealias Change =
        @Sendable (EnrolledDevice, ApproverRequests.Caller, any Repositories) throws -> Void

    /// Changes a device of the person who asks; one of another person is answered like one that does not exist.
    private func change(
        in context: ServerRequestContext,
        by request: Request,
        reading read: @Sendable (Form) throws(OAuthError) -> Change
    ) async throws -> Response {
        let id = context.parameters.get("device") ?? ""
        return try await requests.answering(request, in: context, at: "\(Self.path)/\(id)") { caller in
            _ = try await server.store.read { try caller.app(in: $0) }
            let form = if request.method == .delete { Form() } else { try await request.form() }
            let change = try read(form)
            let isFound = try await server.store.change { repositories -> Bool in
                let app = try caller.countedApp(in: repositories)
                _ = try requests.device(of: app, in: repositories)
                guard app.signIn.approverKey != nil else { throw ApproverRequests.keyMissing }
                guard let device = try repositories.devices.find(DeviceRegistration.ID(id)),
                    device.subject == app.person.subject
                else { return false }
                try change(device, caller, repositories)
                return true
            }
            guard isFound else { return JSONResponse(Self.unknown, status: .notFound).response }
            return ApproverRequests.done
        }
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
