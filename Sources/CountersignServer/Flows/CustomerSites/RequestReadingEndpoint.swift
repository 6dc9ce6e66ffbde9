internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `GET /auth/v1.0/instant/{id}` and `/otp/{id}`: the server of a customer reads the state of its request; with
/// `Prefer: wait` it gets the answer once the request is no longer open.
///
/// Standard: RFC 7240 §4.3 for the wait.
struct RequestReadingEndpoint: Sendable {
    let requests: CustomerSiteRequests
    private var services: FlowServices { requests.services }

    func answering(_ kind: AuthenticationRequest.Kind) -> Answering {
        { request, context in try await answer(kind, request, context) }
    }

    private func answer(
        _ kind: AuthenticationRequest.Kind,
        _ request: Request,
        _ context: ServerRequestContext
    ) async throws -> Response {
        let address = context.address(of: request, by: services.addresses)
        try services.requestLimiter.admit(.address(.tokenPerAddress, address))
        let token = try request.environmentToken()
        let found = try await requests.find(context.environmentRequest, kind)
        let environment = try await requests.authentication.authenticated(
            found.environment,
            presenting: token,
            meeting: CustomerSiteToken.Demands(request: found.id.rawValue),
            from: address
        )
        let preference = WaitPreference(parsing: request.headers[values: .prefer])
        guard let preference, services.tokens.longestWait > 0 else {
            return try .json(try await requests.shown(found.id, to: environment))
        }
        let held = WaitPreference(seconds: min(preference.seconds, services.tokens.longestWait)) ?? preference
        context.noteHeld()
        let presence = await ClientPresence.of(context.channel)
        await requests.wait(for: found.id, atMost: held, from: address, presence: presence)
        return try .json(
            try await requests.shown(found.id, to: environment), headers: [.preferenceApplied: held.headerValue])
    }
}
