internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `GET /cpa`: the base address that services name in their challenges; it lists the endpoints below it.
///
/// Programs get the endpoints' addresses as JSON, with the discovery header; browsers are redirected, with their query,
/// to the page where a person enters a code.
/// Standard: ETSI TS 103 407 Annex A.2 for the header. The JSON is an addition of ours.
struct ProviderEndpoint: Sendable {
    let issuer: Issuer

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.crossPlatform([.get: answer])
    }

    @Sendable private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        if Self.isBrowser(request) {
            let query = request.uri.query.map { "?\($0)" } ?? ""
            return Response(
                status: .seeOther,
                headers: [.location: "\(issuer.path)/cpa/verify\(query)", .cacheControl: "no-store"]
            )
        }
        return try .json(
            ProviderDescription(at: issuer),
            headers: [
                .wwwAuthenticate: ProviderDescription.challenge(of: issuer).headerValue,
                .cacheControl: "public, max-age=\(KeyRotation.freshness)",
                .vary: "Accept",
            ]
        )
    }

    /// Whether a browser asks: programs do not ask for HTML.
    private static func isBrowser(_ request: Request) -> Bool {
        request.headers[values: .accept].contains { $0.lowercased().contains("text/html") }
    }
}

/// The endpoints below the base address of this provider.
private struct ProviderDescription: Encodable {
    let version = "1.0"
    let name: String
    let uri: String
    let modes: [String]
    let registrationEndpoint: String
    let associationEndpoint: String
    let tokenEndpoint: String
    let tokenCheckEndpoint: String
    let verificationURI: String

    private enum CodingKeys: String, CodingKey {
        case version, name, uri, modes
        case registrationEndpoint = "registration_endpoint"
        case associationEndpoint = "association_endpoint"
        case tokenEndpoint = "token_endpoint"
        case tokenCheckEndpoint = "token_check_endpoint"
        case verificationURI = "verification_uri"
    }

    init(at issuer: Issuer) {
        let challenge = Self.challenge(of: issuer)
        name = challenge.name
        uri = challenge.uri
        modes = challenge.modes.map(\.rawValue)
        registrationEndpoint = issuer.appending("cpa/register")
        associationEndpoint = issuer.appending("cpa/associate")
        tokenEndpoint = issuer.appending("cpa/token")
        tokenCheckEndpoint = issuer.appending("cpa/authorized")
        verificationURI = issuer.appending("cpa/verify")
    }

    /// The challenge that services name this provider with.
    static func challenge(of issuer: Issuer) -> CrossPlatformChallenge {
        CrossPlatformChallenge(
            name: String(issuer.text.drop { $0 != "/" }.drop { $0 == "/" }),
            uri: issuer.appending("cpa"),
            modes: [.client, .user]
        )
    }
}
