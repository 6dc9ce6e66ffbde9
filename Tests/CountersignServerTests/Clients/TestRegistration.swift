import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

extension Trait where Self == ServerTrait {
    /// A server that lets clients register themselves.
    static func registering(
        _ access: RegistrationPolicy.Access,
        scope: Scope = .none,
        configuring: @escaping @Sendable (inout ServerSettings) -> Void = { _ in }
    ) -> Self {
        server { settings in
            settings.registration = RegistrationPolicy(access: access, scope: scope)
            configuring(&settings)
        }
    }
}

extension TestServer {
    /// Opens a server that lets clients register themselves.
    static func registering(
        _ access: RegistrationPolicy.Access,
        _ test: @Sendable (TestServer) async throws -> Void
    ) async throws {
        try await open(configuring: { $0.registration = RegistrationPolicy(access: access) }, test)
    }

    /// A token that an operator minted.
    func mintToken(
        uses: Int = 1,
        lifetime: TimeInterval = 3600,
        _ allowance: RegistrationAllowance = .none
    ) async throws -> AccessToken {
        let mint = CodeMint(drawingFrom: .system)
        let token: AccessToken = mint.secret()
        let record = InitialAccessToken(
            id: mint.number(),
            token: token.digest,
            allowance: allowance,
            uses: uses,
            created: clock.date,
            expires: clock.date + lifetime
        )
        try await change { try $0.initialAccessTokens.insert(record) }
        return token
    }

    func register(_ json: String, presenting token: AccessToken? = nil) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        headers[.authorization] = token.map { BearerHeader.value(for: $0) }
        return try await post(path("register"), json: json, headers: headers)
    }

    /// A client that registers itself, as the server answers it.
    func registered(_ json: String = TestMetadata.web, presenting token: AccessToken? = nil) async throws
        -> ClientInformation
    {
        let answer = try await register(json, presenting: token)
        try #require(answer.status == .created, "\(answer.text)")
        return try answer.json(ClientInformation.self)
    }

    /// Asks at the address where a client manages its registration.
    func manage(
        _ method: HTTPRequest.Method,
        _ client: ClientID,
        presenting token: AccessToken?,
        _ json: String? = nil
    ) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        headers[.authorization] = token.map { BearerHeader.value(for: $0) }
        headers[.contentType] = json.map { _ in "application/json" }
        return try await send(method, path("register/\(client)"), headers: headers, body: json.map(ByteBuffer.init))
    }

    func find(_ client: ClientID) async throws -> Client? { try await store.read { try $0.clients.find(client) } }
}

/// Metadata that clients register about themselves.
enum TestMetadata {
    static let web = #"{"client_name":"A shop","redirect_uris":["https://shop.example/done"]}"#

    /// Metadata with these members, and a redirect URI.
    static func with(_ members: String) -> String {
        #"{"redirect_uris":["https://shop.example/done"],\#(members)}"#
    }

    static let key = """
        {"kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",\
        "y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}
        """
}
