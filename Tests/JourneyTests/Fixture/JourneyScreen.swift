import Countersign
import CountersignRequester
import CountersignWire
import Foundation
import HTTPTypes

/// A screen that asks, as plain as the standard has it: it sends a form and reads the JSON that comes back.
struct JourneyScreen: Sendable {
    let issuer: Issuer
    var client = JourneyParties.tv
    var secret: ClientSecret?
    /// Whether it tells the server that it can show a number.
    var showsNumbers = false

    init(at issuer: Issuer, as client: ClientID = JourneyParties.tv, secret: ClientSecret? = nil) {
        self.issuer = issuer
        self.client = client
        self.secret = secret
    }

    private struct Introspected: Decodable {
        let active: Bool
    }

    /// The answer of the token endpoint.
    enum Answer: Sendable, Equatable {
        case tokens(TokenResponse)
        case refused(OAuthError.Code)

        /// - Throws: ``NoTokens`` when it refused.
        var tokens: TokenResponse {
            get throws {
                guard case .tokens(let tokens) = self else { throw NoTokens(answer: self) }
                return tokens
            }
        }
    }

    struct NoTokens: Error {
        let answer: Answer
    }

    /// Asks for a pair of codes.
    ///
    /// - Parameter person: The tokens of an earlier sign-in, whose person the screen remembers; `nil` for none.
    func ask(
        for scope: Scope = Scope([.openid, .profile]),
        calling name: String? = "Anna’s big screen",
        remembering person: TokenResponse? = nil,
        returningTo back: BrowserReturn? = nil,
        actingAs service: GuestService? = nil
    ) async throws -> DeviceAuthorizationResponse {
        var request = DeviceAuthorizationRequest(scope: scope, deviceName: name)
        request.rememberedPerson = person?.idToken
        request.browserReturn = back
        request.service = service
        let answer = try await post(request.form, to: "device_authorization")
        return try JSONDecoder().decode(DeviceAuthorizationResponse.self, from: Data(answer.body))
    }

    /// Asks once whether somebody has decided.
    func poll(_ codes: DeviceAuthorizationResponse, over links: NearbyLinkID...) async throws -> Answer {
        try await redeem(.deviceCode(codes.deviceCode, over: NearbyLinks(links)))
    }

    func refresh(_ tokens: TokenResponse) async throws -> Answer {
        try await redeem(.refresh(tokens.refreshToken ?? RefreshToken(revealing: "none"), scope: .none))
    }

    /// Whether this client, which has a secret, is told that a token is good.
    func isActive(_ token: some Secret) async throws -> Bool {
        var form = Form()
        form["token"] = token.revealed
        let answer = try await post(form, to: "introspect")
        return try JSONDecoder().decode(Introspected.self, from: Data(answer.body)).active
    }

    private func redeem(_ request: TokenRequest) async throws -> Answer {
        let answer = try await post(request.form, to: "token")
        if answer.response.status == .ok {
            return .tokens(try JSONDecoder().decode(TokenResponse.self, from: Data(answer.body)))
        }
        return .refused(try JSONDecoder().decode(OAuthErrorResponse.self, from: Data(answer.body)).error)
    }

    private func post(_ form: Form, to endpoint: String) async throws -> HTTPAnswer {
        var form = form
        var fields: HTTPFields = [.userAgent: "JourneyScreen/1.0"]
        if showsNumbers { fields[HTTPField.Name("Prefer")!] = NumberPreference().headerValue }
        if let secret {
            fields[.authorization] = PresentedCredentials.basicHeader(client: client, secret: secret)
        } else {
            form["client_id"] = client.rawValue
        }
        return try await LoopbackHTTP.post(form, to: issuer.appending(endpoint), fields)
    }
}

extension JourneyScreen {
    /// The resource server of the parties, which is told of everybody's access tokens.
    static func api(at issuer: Issuer) -> JourneyScreen {
        JourneyScreen(at: issuer, as: JourneyParties.api, secret: JourneyParties.apiSecret)
    }

    /// The confidential client of the parties.
    static func backend(at issuer: Issuer) -> JourneyScreen {
        JourneyScreen(at: issuer, as: JourneyParties.backend, secret: JourneyParties.backendSecret)
    }
}

/// Plain requests to this machine, without redirects and cookies.
enum LoopbackHTTP {
    static func get(_ address: String, _ fields: HTTPFields = [:]) async throws -> HTTPAnswer {
        try await send(.get, address, fields, [])
    }

    static func post(_ form: Form, to address: String, _ fields: HTTPFields = [:]) async throws -> HTTPAnswer {
        var fields = fields
        fields[.contentType] = "application/x-www-form-urlencoded"
        return try await send(.post, address, fields, Array(form.encoded.utf8))
    }

    static func put(_ body: [UInt8], to address: String, _ fields: HTTPFields) async throws -> HTTPAnswer {
        try await send(.put, address, fields, body)
    }

    /// Posts a body of this type as it is.
    static func post(body: Data, of type: String, to address: String) async throws -> HTTPAnswer {
        try await send(.post, address, [.contentType: type], Array(body))
    }

    private static func send(
        _ method: HTTPRequest.Method,
        _ address: String,
        _ fields: HTTPFields,
        _ body: [UInt8]
    ) async throws -> HTTPAnswer {
        guard let parts = URLComponents(string: address), let host = parts.host, let port = parts.port,
            Issuer.isLoopback(host)
        else { throw URLError(.badURL) }
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        let request = HTTPRequest(
            method: method,
            scheme: "http",
            authority: "\(host):\(port)",
            path: parts.percentEncodedQuery.map { "\(path)?\($0)" } ?? path,
            headerFields: fields
        )
        return try await AsyncHTTPTransport().send(request, body: body, within: .seconds(120))
    }
}
