internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// `POST /authenticator/person-code`: an enrolled device gets a code, which its person types on the screen that they
/// want to sign in.
///
/// The request of that screen is then the first in the inbox of the device.
/// Standard: RFC 10027 §6.1.15 for the order.
struct AuthenticatorPersonCodeEndpoint: Sendable {
    let requests: ApproverRequests
    private var services: FlowServices { requests.services }
    private static let path = "authenticator/person-code"

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint(Self.path, [.post: services.proofs.givingNonces(answer)])
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await requests.answering(request, in: context, at: Self.path) { [requests] caller in
            let made = try await PersonCodes(core: services.core).make { repositories in
                let app = try caller.countedApp(in: repositories)
                // Without a device, the app could not answer the request.
                _ = try requests.device(of: app, in: repositories)
                return PersonCodes.Holder(approver: app.approver, ends: app.signIn.grant.ends)
            }
            return try .json(PersonCodeResponse(code: made.code, expiresIn: made.lifetime))
        }
    }
}
