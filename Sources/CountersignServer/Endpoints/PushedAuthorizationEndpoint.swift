internal import Countersign
internal import CountersignWire
internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// `POST /par`: a client stores an authorization request, and gets a name for it that it gives the browser.
///
/// Standard: RFC 9126 §2.
struct PushedAuthorizationEndpoint: Sendable {
    let server: ServerServices

    /// For how long a request can be used, in seconds: long enough for a person to sign in on the way.
    static let lifetime: TimeInterval = 600

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint("par", [.post: answer], from: server.browserClients)
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let submitted = try await request.submittedForm()
        let client = try await server.clients.authenticated(submitted.credentials, by: request, in: context)
        try client.require(.authorizationCode)
        var form = submitted.form
        for credential in ["client_secret", "client_assertion", "client_assertion_type"] { form[credential] = nil }
        try AuthorizationRequests(server: server).checkPushed(form, by: client)
        form["client_id"] = client.client.id.rawValue
        let reference = RequestURI(server.mint.secret())
        let stored = PushedRequest(
            reference: reference.secret.digest,
            client: client.client.id,
            parameters: form.encoded,
            expires: server.clock.now() + Self.lifetime
        )
        let address = context.address(of: request, by: server.addresses)
        try await server.store.change { [limits = server.limits] repositories in
            let rateKeys: [RateLimitKey] = [
                .address(.startPerAddress, address), .client(.startPerClient, client.client.id),
                .overall(.startOverall),
            ]
            try limits.admitAndCount(rateKeys, in: repositories)
            try repositories.pushedRequests.insert(stored)
        }
        var response = try Response.json(
            PushedAuthorizationResponse(requestURI: reference.revealed, expiresIn: Int(Self.lifetime))
        )
        response.status = .created
        return response
    }
}
