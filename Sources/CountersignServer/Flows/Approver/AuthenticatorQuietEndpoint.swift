internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `PUT /authenticator/quiet`: a person turns off push messages for a while.
///
/// Requests are made and listed as before, so that the asking side sees no difference.
struct AuthenticatorQuietEndpoint: Sendable {
    let requests: ApproverRequests
    private var services: FlowServices { requests.services }
    private static let path = "authenticator/quiet"

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint(Self.path, [.put: services.proofs.givingNonces(answer)])
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await requests.answering(request, in: context, at: Self.path) { caller in
            try await caller.authenticate()
            let text = try await request.form().required("seconds")
            guard let seconds = Int(text), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                (0...EnrolledDevices.longestQuiet).contains(seconds)
            else {
                throw OAuthError(.invalidRequest, "seconds is 0 to 86400", because: "seconds out of range")
            }
            let end = services.clock.now() + Double(seconds)
            try await services.store.change { repositories in
                let app = try caller.countedApp(in: repositories)
                try repositories.devices.keepQuiet(app.person.subject, until: end)
            }
            return ApproverRequests.done
        }
    }
}
