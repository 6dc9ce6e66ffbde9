internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `POST /auth/v1.0/instant` and `/otp`: the server of a customer opens a request to a person.
///
/// The token lives as long as the request at most, and is bound to the body; it opens one request.
struct RequestOpeningEndpoint: Sendable {
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
        let token = try request.environmentToken()
        let body = try await request.jsonBody()
        guard let asked = try? JSONDecoder().decode(AuthenticationRequestOpening.self, from: Data(body)) else {
            throw CustomerSiteAPIError.malformed("The body is no request that can be opened.")
        }
        let environment = try await requests.authentication.authenticated(
            asked.environment,
            presenting: token,
            meeting: CustomerSiteToken.Demands(
                body: body, longestLife: AuthenticationRequestOpening.lifetimes.upperBound),
            from: address
        )
        guard let number = try? PhoneNumber(asked.number) else {
            throw CustomerSiteAPIError.malformed("The member to is no telephone number in the international form.")
        }
        let opened = try await requests.open(asked, kind, to: number, by: environment, from: address)
        return try .json(opened)
    }
}
