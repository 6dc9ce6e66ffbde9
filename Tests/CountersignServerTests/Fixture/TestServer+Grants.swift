import Countersign
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore

@testable import CountersignServer

// Actions of the tests' asking screens.

extension TestServer {
    /// Asks to be signed in.
    func ask(
        as client: TestClients = .tv,
        scope: String? = nil,
        deviceName: String? = nil
    ) async throws -> DeviceAuthorizationResponse {
        var form = client.form
        form["scope"] = scope
        form["device_name"] = deviceName
        return try await post(path("device_authorization"), form).json(DeviceAuthorizationResponse.self)
    }

    /// Asks whether there is a decision; with `prefer`, holding the request open.
    func poll(
        _ codes: DeviceAuthorizationResponse,
        as client: TestClients = .tv,
        prefer: String? = nil
    ) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        headers[.prefer] = prefer
        let form = try TokenRequest.deviceCode(codes.deviceCode).form.with(client.form)
        return try await post(path("token"), form, headers: headers)
    }

    /// Replaces a refresh token.
    func refresh(
        _ token: RefreshToken?,
        as client: TestClients = .tv,
        scope: String? = nil
    ) async throws -> TestResponse {
        var form = client.form
        form["grant_type"] = "refresh_token"
        form["refresh_token"] = token?.revealed
        form["scope"] = scope
        return try await post(path("token"), form)
    }

    /// A screen that was signed in as `person`: the whole story at once.
    func signedIn(
        _ client: TestClients = .tv,
        as person: TestPerson = .anna,
        scope: String? = nil,
        session: SessionTerm? = nil
    ) async throws -> TokenResponse {
        let codes = try await ask(as: client, scope: scope)
        try await browser(of: person).decide("approve", codes, session: session)
        return try await poll(codes, as: client).json(TokenResponse.self)
    }

    /// The introspection response about a token, for the client that holds it or for the resource server.
    func introspect(_ token: String, as client: TestClients) async throws -> IntrospectionResponse {
        try await post(path("introspect"), client.form.with(["token": token])).json(IntrospectionResponse.self)
    }

    /// Whether the server honours an access token, as its `/userinfo` shows.
    func honours(_ token: AccessToken) async throws -> Bool {
        let response = try await get(path("userinfo"), headers: [.authorization: BearerHeader.value(for: token)])
        return response.status == .ok
    }

    /// The claims about the person of an access token, as `/userinfo` tells them.
    func userInfo(_ token: AccessToken) async throws -> UserInfo {
        try await get(path("userinfo"), headers: [.authorization: BearerHeader.value(for: token)])
            .json(UserInfo.self)
    }

    /// The path of an endpoint or page.
    func path(_ name: String) -> String { "\(issuer.path)/\(name)" }
}

extension TestResponse {
    var text: String { String(buffer: body) }

    /// The body, read as a message.
    func json<Message: Decodable>(_ type: Message.Type) throws -> Message {
        try JSONDecoder().decode(type, from: Data(body.readableBytesView))
    }

    /// The names of the members of a JSON object.
    var members: Set<String> {
        let object = try? JSONSerialization.jsonObject(with: Data(body.readableBytesView)) as? [String: Any]
        return Set((object ?? [:]).keys)
    }

    /// The error that the body names; `nil` for an answer that is none.
    var error: OAuthError.Code? {
        guard status != .ok else { return nil }
        return try? json(OAuthErrorResponse.self).error
    }
}
