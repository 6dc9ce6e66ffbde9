internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `PUT /auth/v1.0/otp/{id}`: the server of a customer checks the one-time password that a person typed at its site.
///
/// A right one approves the request, once. A wrong one is answered as denied; the fifth denies the request.
struct OneTimePasswordCheckEndpoint: Sendable {
    let requests: CustomerSiteRequests
    private var services: FlowServices { requests.services }

    @Sendable func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let address = context.address(of: request, by: services.addresses)
        let token = try request.environmentToken()
        let body = try await request.jsonBody()
        let found = try await requests.find(context.environmentRequest, .oneTimePassword)
        let environment = try await requests.authentication.authenticated(
            found.environment,
            presenting: token,
            meeting: CustomerSiteToken.Demands(request: found.id.rawValue, body: body),
            from: address
        )
        guard let check = try? JSONDecoder().decode(PasswordCheck.self, from: Data(body)) else {
            throw CustomerSiteAPIError.malformed("The body has no pin.")
        }
        return try .json(try await requests.check(check.pin, of: found.id, by: environment, from: address))
    }
}
